//! The commands that people are shown, run as they stand: one document after the other, each in an empty folder.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use vidmar_fleet::testing::LocalServer;

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");

/// What a document says that takes longer than a test may, and what is run in its place.
const SHORTER: &[(&str, &str)] = &[
    // A fifth of a run is half a minute; what follows it needs a run, not a good one.
    (
        "vidmar tune run quick --scale 0.2",
        "vidmar tune run quick --scale 0.001 --set verify.pairs=4",
    ),
    // Seconds each, of an optimised program on an idle machine.
    (
        "vidmar compare --depth 3",
        "vidmar compare --depth 1 --table-mib 1",
    ),
    ("vidmar bench", "vidmar bench --depth 4"),
    (
        "vidmar tune run quick --on nats://localhost",
        "vidmar tune run quick --scale 0.001 --set verify.pairs=4 --on nats://localhost",
    ),
    (
        "vidmar tune run --parameters numbers.txt --set 'engine.command=vidmar uci --parameters' --set nodes=300 --set total_games=400 --set generations=0 --out runs/mine",
        "vidmar tune run --parameters numbers.txt --set 'engine.command=vidmar uci --parameters' --set nodes=50 --set total_games=8 --set generations=0 --set verify.pairs=2 --out runs/mine",
    ),
];

const TUTORIALS: [&str; 3] = ["tune", "play", "reproduce"];

fn document(name: &str) -> String {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The command lines of the blocks marked `sh`, without comments, a line that goes on in the next one as one.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_shell = false;
    let mut begun = String::new();
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            is_shell = kind == "sh";
            continue;
        }
        if !is_shell || line.trim().is_empty() {
            continue;
        }
        let code = line.split(" # ").next().unwrap_or_default().trim();
        match code.strip_suffix('\\') {
            Some(part) => begun += part,
            None => commands.push(std::mem::take(&mut begun) + code),
        }
    }
    assert_eq!(begun, "", "a line that goes on nowhere");
    commands
}

/// A shell with the program in its path.
fn shell(command: &str, folder: &Path) -> Command {
    let mut path = PathBuf::from(VIDMAR)
        .parent()
        .expect("a folder")
        .as_os_str()
        .to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env_remove("VIDMAR_TOKEN")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null());
    shell
}

/// Ends with what it was given to.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server does not end by itself: it is enough that it says where it is.
fn serves(command: &str, folder: &Path) {
    let child = shell(&format!("exec {command} --no-open"), folder)
        .stdout(Stdio::piped())
        .spawn();
    let mut server = Served(child.expect("a shell"));
    let mut line = String::new();
    let out = server.0.stdout.take().expect("a pipe");
    BufReader::new(out).read_line(&mut line).expect("a line");
    assert!(line.starts_with("http://127.0.0.1:"), "{command}: {line}");
}

/// What is run in the place of a command.
fn shorter(command: &str) -> &str {
    let shorter = SHORTER.iter().find(|(shown, _)| *shown == command);
    shorter.map_or(command, |(_, run)| run)
}

/// Runs a command to its end; what it says.
fn run(command: &str, folder: &Path) -> String {
    if command.starts_with("vidmar web") {
        serves(command, folder);
        return String::new();
    }
    let Output {
        status,
        stdout,
        stderr,
    } = shell(command, folder).output().expect("a shell");
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr)
    );
    assert!(status.success(), "{command}\n{status}\n{told}");
    told
}

/// Runs the commands of a document from the first to the last.
fn follow(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let all = commands(text);
    assert!(!all.is_empty(), "{name} has no commands");
    for command in &all {
        let program = command.split(' ').next().unwrap_or_default();
        assert!(["vidmar", "printf"].contains(&program), "{name}: {command}");
        run(shorter(command), folder.path());
    }
    folder
}

/// The first recipe of docs/fleet.md, with a server at another address: there may be one at the usual one.
#[test]
fn two_processes_on_one_machine_run_as_written() {
    let text = document("docs/fleet.md");
    let recipe = text
        .split("\n## ")
        .find(|part| part.starts_with("Two processes on one machine"));
    let all = commands(recipe.expect("a recipe"));
    assert_eq!(all.first().map(String::as_str), Some("nats-server -js &"));
    let Some(server) = LocalServer::start(&[]) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut served = Vec::new();
    let mut told = String::new();
    for command in &all[1..] {
        let command = shorter(command).replace("nats://localhost", &server.url());
        if let Some(command) = command.strip_suffix(" &") {
            let child = shell(&format!("exec {command}"), folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            served.push(Served(child.expect("a shell")));
        } else {
            told = run(&command, folder.path());
        }
    }
    assert_eq!(served.len(), 1, "{all:?}");
    // The table of `vidmar workers`, which is the last command.
    assert!(told.contains("playing"), "{told}");
    assert!(folder.path().join("runs").is_dir());
}

#[test]
fn the_tour_of_the_readme_runs_line_by_line() {
    let readme = document("README.md");
    let tour = readme
        .split("\n## ")
        .find(|part| part.starts_with("A short tour"));
    let folder = follow("README.md", tour.expect("a tour"));
    for file in [
        "runs/tune-quick/recommended.txt",
        "games.pgn",
        "games.jsonl",
        "mine.net",
        "diagram.svg",
    ] {
        let written = folder.path().join(file).metadata().expect(file);
        assert!(written.len() > 0, "{file}");
    }
}

#[test]
fn the_commands_of_the_tutorials_run() {
    let mut all = document("README.md") + &document("docs/fleet.md");
    for tutorial in TUTORIALS {
        let name = format!("docs/tutorials/{tutorial}.md");
        let text = document(&name);
        follow(&name, &text);
        all += &text;
    }
    for (shown, _) in SHORTER {
        assert!(all.contains(shown), "{shown} is not shown any more");
    }
}

#[test]
fn commands_are_taken_from_shell_blocks() {
    let text =
        "a\n```sh\nvidmar x   # about\nvidmar y \\\n    -z 1   # more\n```\n```\nno\n```\n```json\n{}\n```\n";
    assert_eq!(commands(text), ["vidmar x", "vidmar y -z 1"]);
}
