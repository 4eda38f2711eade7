//! `vidmar web`: the page and its API.

use std::env;
use std::io::{IsTerminal as _, Write as _};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::Args;
use vidmar_fleet::Address;
use vidmar_players::{EngineCommand, PlayerSpec, Protocol};
use vidmar_tablebases::{Library, Syzygy, Tablebases};
use vidmar_text::quoted_words;
use vidmar_web::{
    Config, Fleet, Hosts, Listener, NamedDirectory, NamedEngine, NamedFile, Page, Server, Timeouts, Token,
};

use crate::elsewhere::Login;
use crate::{examples, home, output};

/// Open the page: play, ask why, watch tuning runs and matches
///
/// Starts a server on this machine, prints its address on standard output and opens it in the browser. It answers until
/// Ctrl-C, and only to those who have the token that is part of the address. The page and scripts (see docs/api.md) can use what is named here and nothing else: no other directory,
/// engine or case base can be reached through it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar web
  vidmar web experiments --engine stockfish=stockfish --cases tal=tal.cases
  vidmar web --port 8000 --no-open --engine 'gnu=gnuchess --uci'")]
pub(crate) struct Web {
    /// Directories of tuning runs, or with match stores or several of either [default: runs, where both are written]
    #[arg(value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// The port; any free one if not given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The address to listen on: whoever can reach it and has the token can use this server
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// A further name by which the server may be addressed, such as that of this machine
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// The token that requests must show [default: `VIDMAR_TOKEN` of the environment, which others cannot read as they can
    /// command lines, or else a random one]
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Answer everybody on this machine, without a token
    #[arg(long, conflicts_with = "token")]
    no_token: bool,
    /// Memory of all players together [default: half of what this machine has]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// An engine that may be played; one that does not speak UCI is xboard:COMMAND
    #[arg(long, value_name = "NAME=COMMAND")]
    engine: Vec<String>,
    /// A case base (see `vidmar cases build`) for the case-based player
    #[arg(long, value_name = "NAME=FILE")]
    cases: Vec<String>,
    /// A file for the setting KEY of any other player
    #[arg(long, value_name = "KEY:NAME=FILE")]
    file: Vec<String>,
    /// Folders of Syzygy tables: Analyse says what endings are worth, move by move
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
    /// The folder of our own tablebases (see `vidmar bases make`), for the same; without, king and pawn against king
    #[arg(long, value_name = "DIR")]
    bases: Option<PathBuf>,
    /// Do not show the examples that come with the program: a tuning run, a match, a case base. They are shown where no
    /// directory is named
    #[arg(long)]
    no_examples: bool,
    /// A NATS server: the workers of runs that are played over it are shown on their pages, and given orders from there
    #[arg(long, value_name = "nats://HOST[,HOST…]")]
    on: Option<Address>,
    #[command(flatten)]
    login: Login,
    /// Where games are kept [default: vidmar in the folder for state of your account]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

/// Where scripts put the token.
const ENVIRONMENT: &str = "VIDMAR_TOKEN";

impl Web {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = self.config()?;
        let token = config.token.clone();
        let listener = Listener::open(self.host, self.port)?;
        let server = serve_with(config, self.state.is_some())?;
        let (end, ended) = tokio::sync::oneshot::channel();
        let mut end = Some(end);
        ctrlc::set_handler(move || {
            if let Some(end) = end.take() {
                // Nobody waits any more only if the server has ended by itself.
                let _ = end.send(());
            }
        })
        .context("Ctrl-C")?;
        let url = url(&listener, token.as_ref());
        // Whoever read the address and left still has a server.
        let _ = output::print(&format!("{url}\n"));
        // It holds the address while a browser may read it.
        let _door = (!self.no_open).then(|| open(&url)).flatten();
        listener.serve(server.clone(), async {
            let _ = ended.await;
        });
        let going_on = server.close();
        if !going_on.is_empty() {
            let names = going_on.join(", ");
            output::hint(&format!("these runs go on without the server: {names}"));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What requests must show.
    fn token(&self) -> anyhow::Result<Option<Token>> {
        let is_loopback = self.host.is_loopback();
        ensure!(
            is_loopback || !self.no_token,
            "--no-token is for this machine alone: not with --host {}",
            self.host
        );
        if !is_loopback {
            output::warn(&format!(
                "the server listens on {}: whoever has the address below can use this machine's engines, and what is sent \
                 can be read on the way",
                self.host
            ));
        }
        if self.no_token {
            return Ok(None);
        }
        let of_environment = || Some((ENVIRONMENT, env::var(ENVIRONMENT).ok()?));
        let given = self.token.clone().map(|text| ("--token", text));
        Ok(Some(match given.or_else(of_environment) {
            Some((origin, text)) => Token::given(&text).context(origin)?,
            None => Token::random()?,
        }))
    }

    fn tablebases(&self) -> anyhow::Result<Tablebases> {
        let own = match &self.bases {
            Some(folder) => Library::open(folder).context("--bases")?,
            None => Library::built_in(),
        };
        let syzygy = self.syzygy.as_deref().map(Syzygy::open).transpose();
        Ok(Tablebases::new(own, syzygy.context("--syzygy")?))
    }

    fn config(&self) -> anyhow::Result<Config> {
        ensure!(
            self.on.as_ref().is_none_or(|address| address.run.is_none()),
            "--on: the address of a server is expected, without a run"
        );
        let engines = self.engine.iter().map(|text| engine(text).context("--engine"));
        let cases = self.cases.iter().map(|text| cases(text).context("--cases"));
        let others = self.file.iter().map(|text| other_file(text).context("--file"));
        let mut config = Config {
            engines: engines.collect::<anyhow::Result<_>>()?,
            files: cases.chain(others).collect::<anyhow::Result<_>>()?,
            directories: Vec::new(),
            fleet: self.on.clone().map(|address| Fleet {
                address,
                credentials: self.login.credentials(),
            }),
            state: Some(match &self.state {
                Some(folder) => folder.clone(),
                None => default_state()?,
            }),
            tablebases: Arc::new(self.tablebases()?),
            memory_mib: self.memory,
            token: self.token()?,
            timeouts: Timeouts::default(),
            hosts: Hosts {
                names: self.allow_host.clone(),
                any_address: !self.host.is_loopback(),
            },
            page: Page(vidmar_page::FILES),
            reference: Some(super::generate::reference_page),
        };
        for path in &self.directories {
            ensure!(path.is_dir(), "{}: there is no such directory", path.display());
        }
        // It need not be there yet: a run that is begun on the page makes it.
        let usual = [PathBuf::from(home::RUNS)];
        let directories = if self.directories.is_empty() {
            &usual[..]
        } else {
            &self.directories
        };
        for path in directories {
            let name = free_name(path, &config.directories);
            config.directories.push(NamedDirectory {
                name,
                path: path.clone(),
                is_example: false,
            });
        }
        if self.directories.is_empty() && !self.no_examples {
            add_examples(&mut config);
        }
        no_name_twice(
            "--engine",
            config.engines.iter().map(|engine| engine.name.as_str()),
        )?;
        check_started(&config.engines)?;
        for (index, file) in config.files.iter().enumerate() {
            let is_same = |other: &NamedFile| other.key == file.key && other.name == file.name;
            ensure!(
                !config.files[..index].iter().any(is_same),
                "--{}: '{}' is there twice",
                if file.key == CASES { CASES } else { "file" },
                file.name
            );
        }
        Ok(config)
    }
}

/// Something to see before anything was done: a tuning run, a match, a case base. They lie beside the games that are kept.
fn add_examples(config: &mut Config) {
    let Some(folder) = config.state.as_ref().map(|state| state.join(EXAMPLES)) else {
        return;
    };
    match examples::unpack(&folder) {
        Ok(cases) => {
            config.directories.push(NamedDirectory {
                name: free_name(&folder, &config.directories),
                path: folder,
                is_example: true,
            });
            let is_free = |file: &NamedFile| file.key != CASES || file.name != EXAMPLE_CASES;
            if let Some(path) = cases.filter(|_| config.files.iter().all(is_free)) {
                config.files.push(NamedFile {
                    key: CASES.to_owned(),
                    name: EXAMPLE_CASES.to_owned(),
                    path,
                });
            }
        }
        // The page is as good without them.
        Err(error) => output::warn(&format!("no examples: {error:#}")),
    }
}

/// The folder of the examples, below that of the games.
const EXAMPLES: &str = "examples";
/// What the page calls the case base among them.
const EXAMPLE_CASES: &str = "example: the engine's own games";

/// A server with its games. Where another one has the usual folder, this one's games end with it.
fn serve_with(config: Config, must_keep: bool) -> anyhow::Result<Server> {
    match Server::new(config.clone()) {
        Err(error) if !must_keep => {
            output::warn(&format!(
                "{error}; games will end with this server (or give --state)"
            ));
            Ok(Server::new(Config {
                state: None,
                ..config
            })?)
        }
        other => Ok(other?),
    }
}

fn named(text: &str) -> anyhow::Result<(String, &str)> {
    let (name, rest) = text
        .split_once('=')
        .ok_or_else(|| anyhow!("'{text}': expected NAME=…"))?;
    let name = name.trim();
    let is_plain = |c: char| !c.is_control() && !matches!(c, ',' | '/' | '\\');
    if name.is_empty() || rest.trim().is_empty() || !name.chars().all(is_plain) {
        bail!("'{text}': expected NAME=…, with a plain name and something after it");
    }
    Ok((name.to_owned(), rest.trim()))
}

fn engine(text: &str) -> anyhow::Result<NamedEngine> {
    let (name, command) = named(text)?;
    let mut words = quoted_words(command)
        .map_err(|error| anyhow!("{error}"))?
        .into_iter();
    let program = words
        .next()
        .ok_or_else(|| anyhow!("'{text}': expected a command"))?;
    let (protocol, program) = match program.strip_prefix("xboard:") {
        Some(program) => (Protocol::Xboard, program),
        None => (Protocol::Uci, program.as_str()),
    };
    let mut command = words.fold(EngineCommand::new(program), EngineCommand::argument);
    command.ignores_unknown_options = true;
    let spec = PlayerSpec::external(protocol, &command, None);
    Ok(NamedEngine { name, spec })
}

/// An engine that cannot be started is found now: a game with it would wait for ever.
fn check_started(engines: &[NamedEngine]) -> anyhow::Result<()> {
    for NamedEngine { name, spec } in engines {
        if let Err(fault) = spec.player() {
            bail!("--engine: {name} cannot be started: {fault}");
        }
    }
    Ok(())
}

/// The setting of the case-based player that is a file.
const CASES: &str = "cases";

fn cases(text: &str) -> anyhow::Result<NamedFile> {
    let (name, file) = named(text)?;
    let path = PathBuf::from(file);
    vidmar_cases::read(&path).map_err(|error| anyhow!("{error}"))?;
    let key = CASES.to_owned();
    Ok(NamedFile { key, name, path })
}

fn other_file(text: &str) -> anyhow::Result<NamedFile> {
    let (key, rest) = text
        .split_once(':')
        .ok_or_else(|| anyhow!("'{text}': expected KEY:NAME=FILE"))?;
    let (name, file) = named(rest)?;
    let path = PathBuf::from(file);
    ensure!(path.is_file(), "{}: there is no such file", path.display());
    let key = key.trim().to_owned();
    Ok(NamedFile { key, name, path })
}

fn no_name_twice<'n>(flag: &str, names: impl Iterator<Item = &'n str>) -> anyhow::Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        ensure!(seen.insert(name), "{flag}: '{name}' is there twice");
    }
    Ok(())
}

/// The last part of the path, with a number where that is taken.
fn free_name(path: &Path, taken: &[NamedDirectory]) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole
        .file_name()
        .map_or_else(|| "runs".to_owned(), |name| name.to_string_lossy().into_owned());
    let is_free = |name: &String| taken.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(is_free)
        .unwrap_or(name)
}

/// The folder for state of the XDG base directories; on Windows that for data of programs on this machine.
fn default_state() -> anyhow::Result<PathBuf> {
    let absolute = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let folder =
        absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let folder = folder.or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)));
    let folder = folder.context("there is no home directory to keep games in; give a folder with --state")?;
    Ok(folder.join("vidmar"))
}

/// An address that a browser can open, with the token.
fn url(listener: &Listener, token: Option<&Token>) -> String {
    let mut address = listener.address();
    if address.ip().is_unspecified() {
        address.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    let address = format!("http://{address}/");
    token.map_or_else(|| address.clone(), |token| token.in_address(&address))
}

/// A file that only this user can read and that leads a browser to the address: command lines can be read by everybody.
fn door(url: &str) -> anyhow::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("vidmar-")
        .suffix(".html")
        .tempfile()?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\"><title>Vidmar</title><a href=\"{url}\">Vidmar</a>"
    )?;
    file.flush()?;
    Ok(file)
}

/// Opens the browser where there is a screen. What comes of it is between the two.
fn open(url: &str) -> Option<tempfile::NamedTempFile> {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| env::var_os(name).is_some());
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else if has_screen {
        "xdg-open"
    } else {
        if std::io::stderr().is_terminal() {
            output::warn("there is no screen here: open the address yourself");
        }
        return None;
    };
    let door = match door(url) {
        Ok(door) => door,
        Err(error) => {
            output::warn(&format!("{error}; open the address yourself"));
            return None;
        }
    };
    let started = Command::new(program)
        .arg(door.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        // It is waited for so that nothing is left of it when it ends.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => output::warn(&format!("{program}: {error}; open the address yourself")),
    }
    Some(door)
}
