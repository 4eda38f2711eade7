//! Who is let in: logins, keys, certificates and permissions, each with a server that asks for them. What is right plays games, what is
//! wrong is said at both ends.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};
use vidmar_engine::Control;
use vidmar_fleet::roster::overview;
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::worker::{WorkerSettings, serve};
use vidmar_fleet::{Address, Coordinator, Credentials, Settings};

use crate::fleet::{LocalWorker, Notices, RUN, light_tasks, locally, played};

/// A way to a server.
#[derive(Clone)]
struct Way {
    address: Address,
    credentials: Credentials,
}

impl Way {
    /// With a login, `USER:PASSWORD@` or `TOKEN@`, where there is one.
    fn new(server: &LocalServer, scheme: &str, login: &str, credentials: Credentials) -> Way {
        let address = format!("{scheme}://{login}127.0.0.1:{}", server.port());
        Way {
            address: address.parse().unwrap(),
            credentials,
        }
    }

    fn coordinator(&self) -> Settings {
        Settings {
            credentials: self.credentials.clone(),
            spot_checks: 0.0,
            ..Settings::new(
                self.address.clone(),
                RUN.parse().unwrap(),
                Notices::default().observer(),
            )
        }
    }

    fn worker(&self) -> WorkerSettings {
        WorkerSettings {
            credentials: self.credentials.clone(),
            name: "guarded".parse().unwrap(),
            ..WorkerSettings::new(self.address.clone(), Notices::default().observer())
        }
    }

    /// Games are played on it, whoever coordinates them.
    fn plays_for(&self, coordinator: &Way) {
        let coordinator = Coordinator::open(coordinator.coordinator(), &Control::new()).unwrap();
        let _worker = LocalWorker::with(self.worker());
        assert_eq!(played(&coordinator, light_tasks(6)), locally(light_tasks(6)));
        coordinator.close(true);
    }

    fn works(&self) {
        self.plays_for(self);
        overview(&self.address, &self.credentials).unwrap();
    }

    /// Nobody is let in, and everybody says why, without what is secret.
    fn is_refused(&self, reason: &str) {
        let told = [
            Coordinator::open(self.coordinator(), &Control::new()).map(drop),
            serve(self.worker(), &Control::new()).map(drop),
            overview(&self.address, &self.credentials).map(drop),
        ];
        for told in told {
            let told = told.unwrap_err().to_string();
            assert!(told.contains(reason) && !told.contains("secret"), "{told}");
        }
    }
}

const DENIED: &str = "refuses these credentials";

/// A file in a folder.
pub(crate) fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// A server with a configuration file.
pub(crate) fn configured(folder: &Path, text: &str) -> Option<LocalServer> {
    let path = file(folder, "server.conf", text);
    LocalServer::start(&["-c", path.to_str().unwrap()])
}

#[test]
fn passwords_and_tokens() {
    let none = Credentials::default;
    let Some(server) = LocalServer::start(&["--user", "me", "--pass", "se%cret"]) else {
        return;
    };
    Way::new(&server, "nats", "me:se%25cret@", none()).works();
    Way::new(&server, "nats", "", none()).is_refused(DENIED);
    Way::new(&server, "nats", "me:secret@", none()).is_refused(DENIED);
    let server = LocalServer::start(&["--auth", "letmein"]).unwrap();
    Way::new(&server, "nats", "letmein@", none()).works();
    Way::new(&server, "nats", "secret@", none()).is_refused(DENIED);
}

#[test]
fn nkeys() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, other) = (KeyPair::new_user(), KeyPair::new_user());
    let known = format!(
        "authorization {{ users = [ {{ nkey: {} }} ] }}",
        ours.public_key()
    );
    let Some(server) = configured(folder.path(), &known) else {
        return;
    };
    let with = |name: &str, seed: &str| {
        let nkey = Some(file(folder.path(), name, seed));
        Way::new(
            &server,
            "nats",
            "",
            Credentials {
                nkey,
                ..Credentials::default()
            },
        )
    };
    with("ours", &format!("{}\n", ours.seed().unwrap())).works();
    with("other", &other.seed().unwrap()).is_refused(DENIED);
    with("none", "secret").is_refused("none: it holds no nkey seed");
    Way::new(&server, "nats", "", Credentials::default()).is_refused(DENIED);
    let missing = Credentials {
        nkey: Some(folder.path().join("missing")),
        ..Credentials::default()
    };
    Way::new(&server, "nats", "", missing).is_refused("missing: No such file");
}

/// A signed statement, as `nsc` writes them.
fn jwt(issuer: &KeyPair, subject: &KeyPair, claims: &Value) -> String {
    let claims = json!({
        "jti": "TEST", "iat": 1_600_000_000, "iss": issuer.public_key(), "name": "test",
        "sub": subject.public_key(), "nats": claims,
    });
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let text = format!(
        "{}.{}",
        part(&json!({"typ": "JWT", "alg": "ed25519-nkey"})),
        part(&claims)
    );
    let signature = BASE64URL_NOPAD.encode(&issuer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// The file of a user that an account vouches for.
fn creds(account: &KeyPair) -> String {
    let user = KeyPair::new_user();
    let claims =
        json!({"pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2});
    format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        jwt(account, &user, &claims),
        user.seed().unwrap()
    )
}

#[test]
fn credentials_files() {
    let folder = tempfile::tempdir().unwrap();
    let (operator, system, account) = (
        KeyPair::new_operator(),
        KeyPair::new_account(),
        KeyPair::new_account(),
    );
    let limits = |storage: i64| {
        json!({
            "limits": {
                "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
                "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage,
            },
            "default_permissions": {"pub": {}, "sub": {}}, "type": "account", "version": 2,
        })
    };
    let text = format!(
        "operator: {}\nresolver: MEMORY\nsystem_account: {}\nresolver_preload: {{ {}: {}, {}: {} }}\n",
        jwt(&operator, &operator, &json!({"type": "operator", "version": 2})),
        system.public_key(),
        system.public_key(),
        jwt(&operator, &system, &limits(0)),
        account.public_key(),
        jwt(&operator, &account, &limits(-1)),
    );
    let Some(server) = configured(folder.path(), &text) else {
        return;
    };
    let with = |name: &str, text: &str| {
        let creds = Some(file(folder.path(), name, text));
        Way::new(
            &server,
            "nats",
            "",
            Credentials {
                creds,
                ..Credentials::default()
            },
        )
    };
    with("right.creds", &creds(&account)).works();
    with("stranger.creds", &creds(&KeyPair::new_account())).is_refused(DENIED);
    with("none.creds", "secret").is_refused("none.creds: ");
    Way::new(&server, "nats", "", Credentials::default()).is_refused(DENIED);
}

/// Runs openssl; false where there is none.
fn openssl(folder: &Path, words: &str) -> bool {
    let mut command = Command::new("openssl");
    command.args(words.split(' ')).current_dir(folder);
    command.output().is_ok_and(|output| output.status.success())
}

/// A certificate of an authority, or one that vouches for itself.
fn certificate(folder: &Path, name: &str, authority: Option<&str>) -> bool {
    let key = format!(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -keyout {name}.key -out {name}.pem -subj /CN={name}"
    );
    let kind = match authority {
        None => "-addext basicConstraints=critical,CA:TRUE".to_owned(),
        Some(authority) => format!(
            "-CA {authority}.pem -CAkey {authority}.key -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1"
        ),
    };
    openssl(folder, &format!("{key} {kind}"))
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn certificates() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let made = certificate(folder.path(), "authority", None)
        && certificate(folder.path(), "stranger", None)
        && certificate(folder.path(), "server", Some("authority"))
        && certificate(folder.path(), "client", Some("authority"));
    if !made {
        let is_required =
            std::env::var_os("VIDMAR_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0");
        assert!(
            !is_required,
            "openssl 3 is not installed (Debian package openssl)"
        );
        eprintln!("skipped: openssl 3 is not installed (Debian package openssl)");
        return;
    }
    let text = |name: &str| path(name).to_str().unwrap().to_owned();
    let (certificate, key, authority) = (text("server.pem"), text("server.key"), text("authority.pem"));
    let arguments = ["--tls", "--tlscert", &certificate, "--tlskey", &key];
    let Some(server) = LocalServer::start(&arguments) else {
        return;
    };
    let with = |ca: &str| Credentials {
        tls_ca: Some(path(ca)),
        ..Credentials::default()
    };
    Way::new(&server, "tls", "", with("authority.pem")).works();
    Way::new(&server, "nats", "", with("authority.pem")).works();
    let failed = "no secure connection to ";
    Way::new(&server, "tls", "", with("stranger.pem")).is_refused(failed);
    Way::new(&server, "tls", "", Credentials::default()).is_refused(failed);
    Way::new(&server, "tls", "", with("server.key")).is_refused(failed);
    // One that asks for a certificate of ours, too.
    let both = [&arguments[..], &["--tlsverify", "--tlscacert", &authority]].concat();
    let server = LocalServer::start(&both).unwrap();
    let ours = |name: &str| Credentials {
        tls_cert: Some(path(&format!("{name}.pem"))),
        tls_key: Some(path(&format!("{name}.key"))),
        ..with("authority.pem")
    };
    Way::new(&server, "tls", "", ours("client")).works();
    Way::new(&server, "tls", "", ours("stranger")).is_refused(failed);
    Way::new(&server, "tls", "", with("authority.pem")).is_refused(failed);
    // A server that speaks no TLS gets no password in clear.
    let plain = LocalServer::start(&[]).unwrap();
    Way::new(&plain, "tls", "me:secret@", with("authority.pem")).is_refused(failed);
}

/// The permissions of a worker, as the guide has them.
pub(crate) fn permissions(run: &str, name: &str, accepts_binaries: bool) -> String {
    let guide = include_str!("../../../../docs/fleet.md");
    let block = |first: &str| {
        let found = guide
            .split("```")
            .find_map(|block| block.trim_start().strip_prefix(first));
        found.unwrap().replace("RUN", run).replace("WORKER", name)
    };
    let block_of_all = block("publish:");
    let (publish, subscribe) = block_of_all.split_once("subscribe:").unwrap();
    let mut publish = publish.to_owned();
    if accepts_binaries {
        publish = format!("{publish}, {}", block("publish as well:"));
    }
    let subjects = |text: &str| {
        let words = text.split(',');
        words
            .map(|word| format!("\"{}\"", word.trim()))
            .collect::<Vec<_>>()
            .join(", ")
    };
    format!(
        "{{ publish: [{}], subscribe: [{}] }}",
        subjects(&publish),
        subjects(subscribe)
    )
}

/// A worker that may do no more than it must plays all the same, and cannot speak in another's name.
#[test]
fn a_worker_with_few_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let users = format!(
        "authorization {{ users = [ {{ user: all, password: s }}, {{ user: few, password: s, permissions: {} }} ] }}",
        permissions(RUN, "guarded", false)
    );
    let Some(server) = configured(folder.path(), &users) else {
        return;
    };
    let way = |user: &str| Way::new(&server, "nats", &format!("{user}:s@"), Credentials::default());
    way("few").plays_for(&way("all"));
    // One that may do less than it must is told so.
    let notices = Notices::default();
    let _other = LocalWorker::with(WorkerSettings {
        name: "another".parse().unwrap(),
        observer: notices.observer(),
        ..way("few").worker()
    });
    crate::fleet::wait_for("the server's word", || {
        let told = notices.text().to_lowercase();
        told.contains("the server says: ") && told.contains("permissions violation")
    });
    let (denied, runtime) = (
        Arc::new(std::sync::Mutex::new(Vec::new())),
        tokio::runtime::Runtime::new().unwrap(),
    );
    // The answers come as long as there is somebody to hear them.
    let _client = runtime.block_on(async {
        let told = Arc::clone(&denied);
        let client = async_nats::ConnectOptions::with_user_and_password("few".into(), "s".into())
            .event_callback(move |event| {
                told.lock().unwrap().push(event.to_string());
                async {}
            })
            .connect(server.url())
            .await
            .unwrap();
        for subject in ["vidmar.test.answers.another", "vidmar.other.answers.guarded"] {
            client.publish(subject, "x".into()).await.unwrap();
        }
        client.flush().await.unwrap();
        client
    });
    crate::fleet::wait_for("both to be denied", || {
        let told = denied.lock().unwrap().join("\n").to_lowercase();
        told.matches("permissions violation").count() >= 2
    });
}
