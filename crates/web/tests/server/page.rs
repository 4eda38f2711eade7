//! The files of the page.

use reqwest::{Method, Response, StatusCode};
use vidmar_web::{Config, Page};

use crate::site::Site;

async fn fetch(site: &Site, path: &str) -> Response {
    let request = site.request(Method::GET, &format!("/../..{path}"));
    request.send().await.expect("an answer")
}

fn header<'a>(answer: &'a Response, name: &str) -> &'a str {
    answer.headers()[name].to_str().expect("text")
}

#[tokio::test]
async fn files_come_with_their_types_and_ages() {
    let files: &[(&str, &[u8])] = &[("assets/a1b2.js", b"go()"), ("index.html", b"<p>page")];
    let site = Site::start(Config {
        page: Page(files),
        ..Config::default()
    });
    let root = fetch(&site, "/").await;
    assert_eq!(
        (header(&root, "content-type"), header(&root, "cache-control")),
        ("text/html; charset=utf-8", "no-cache")
    );
    assert_eq!(root.text().await.expect("text"), "<p>page");
    let script = fetch(&site, "/assets/a1b2.js").await;
    assert_eq!(header(&script, "content-type"), "text/javascript; charset=utf-8");
    assert!(header(&script, "cache-control").ends_with("immutable"));
    assert_eq!(script.text().await.expect("text"), "go()");
    assert_eq!(fetch(&site, "/assets").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn without_files_it_says_how_to_get_them() {
    let site = Site::start(Config::default());
    let root = fetch(&site, "/").await;
    assert_eq!(root.status(), StatusCode::OK);
    assert!(root.text().await.expect("text").contains("cargo xtask"));
    assert_eq!(
        fetch(&site, "/assets/a1b2.js").await.status(),
        StatusCode::NOT_FOUND
    );
}
