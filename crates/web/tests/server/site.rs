//! A server for a test, and a client of it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use vidmar_cases::PlayerName;
use vidmar_players::{EngineCommand, PlayerSpec, Protocol};
use vidmar_web::{Config, Listener, NamedFile, Server};

/// How long anything may take that is not a defect, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server that ends with this.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    client: Client,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Site {
    pub(crate) fn start(config: Config) -> Site {
        let (tell, told) = std::sync::mpsc::channel();
        let (end, ended) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let listener = Listener::open(IpAddr::V4(Ipv4Addr::LOCALHOST), 0).expect("a free port");
            let server = Server::new(config).expect("a server");
            tell.send(listener.address()).expect("somebody waits");
            let end = async {
                let _ = ended.await;
            };
            listener.serve(server.clone(), end);
            server.close();
        });
        Site {
            address: told.recv().expect("it has started"),
            // A connection that the server has closed is not used again.
            client: Client::builder()
                .pool_max_idle_per_host(0)
                .build()
                .expect("a client"),
            end: Some(end),
            thread: Some(thread),
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1{path}", self.address)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        answer(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        answer(self.request(Method::POST, path).json(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> StatusCode {
        let sent = self.request(Method::DELETE, path).send().await;
        sent.expect("an answer").status()
    }

    /// Begins a game that must be possible.
    pub(crate) async fn begin(&self, body: &Value) -> Value {
        let (status, game) = self.post("/games", body).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        game
    }

    /// Waits until a game is as wanted.
    pub(crate) async fn wait(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let (status, game) = self.get(&format!("/games/{id}")).await;
            assert_eq!(status, StatusCode::OK, "{game}");
            if wanted(&game) {
                return game;
            }
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {game}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Makes a move in a game as it stands.
    pub(crate) async fn play(&self, game: &Value, uci: &str) -> (StatusCode, Value) {
        let body = json!({"uci": uci, "version": game["version"]});
        self.post(&format!("/games/{}/moves", id(game)), &body).await
    }

    /// A stream of events.
    pub(crate) async fn events(&self, path: &str) -> Events {
        let sent = self.request(Method::GET, path).send().await.expect("an answer");
        assert_eq!(sent.status(), StatusCode::OK);
        assert_eq!(sent.headers()["content-type"], "text/event-stream");
        Events {
            response: sent,
            text: String::new(),
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            // It may have ended by itself.
            let _ = end.send(());
        }
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

async fn answer(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.expect("an answer");
    let status = response.status();
    let text = response.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub(crate) fn id(game: &Value) -> &str {
    game["id"].as_str().expect("an id")
}

/// Events as they come.
pub(crate) struct Events {
    response: reqwest::Response,
    text: String,
}

impl Events {
    /// The next event of that name; none if the stream ends.
    pub(crate) async fn next(&mut self, name: &str) -> Option<Value> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |key: &str| event.lines().find_map(|line| line.strip_prefix(key));
                let found =
                    (field("event: ") == Some(name)).then(|| field("data: ").unwrap_or_default().to_owned());
                self.text = String::from(rest);
                if let Some(data) = found {
                    return Some(serde_json::from_str(&data).expect("JSON"));
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk())
                .await
                .expect("news");
            self.text += std::str::from_utf8(&chunk.ok()??).expect("UTF-8");
        }
    }
}

/// A case base of a few games that the test writes itself.
pub(crate) fn cases(folder: &Path) -> NamedFile {
    let pgn = "[Event \"Casual\"]\n[White \"Tal, Mihail\"]\n[Black \"Other\"]\n[Date \"1958.01.01\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0\n\n\
        [Event \"Casual\"]\n[White \"Other\"]\n[Black \"Tal, Mihail\"]\n[Date \"1960.??.??\"]\n[Result \"0-1\"]\n\n\
        1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 0-1\n";
    let files = [("games.pgn".to_owned(), pgn.as_bytes().to_vec())];
    let (base, _) =
        vidmar_cases::build(&files, &PlayerName::new("Tal, Mihail").expect("a name")).expect("a base");
    let path: PathBuf = folder.join("tal.cases");
    std::fs::write(&path, base.to_bytes()).expect("written");
    NamedFile {
        key: "cases".to_owned(),
        name: "tal".to_owned(),
        path,
    }
}

/// A UCI engine that is this program.
pub(crate) fn program(path: &str) -> PlayerSpec {
    PlayerSpec::external(Protocol::Uci, &EngineCommand::new(path), None)
}

pub(crate) fn person() -> Value {
    json!({"kind": "person"})
}

pub(crate) fn engine(nodes: u64) -> Value {
    json!({"kind": "engine", "options": {"nodes": nodes}})
}
