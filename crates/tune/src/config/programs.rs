//! The programs that a configuration starts.
//!
//! A configuration is a file, and a file may come from anybody: whoever is about to start what it names asks the user first,
//! and this is what there is to ask about. Every text of every table is looked at, those of later stages too, so that a setting
//! that is added and takes a player is covered.

use toml::{Table, Value};
use vidmar_players::PlayerSpec;

use vidmar_cpu::{Counted, counted};

use super::{Config, Gauntlet, overlay};
use crate::players::engine_of;

impl Config {
    /// The programs that a run of this configuration may start, each once. The reference engines of the usual gauntlet are
    /// not among them: they are named by this program, not by the file.
    pub fn programs(&self) -> Vec<PlayerSpec> {
        let mut found = Vec::new();
        look(&overlay::as_table(self), &mut found);
        let usual: Vec<PlayerSpec> = Gauntlet::usual()
            .references
            .iter()
            .filter_map(|reference| reference.player.parse().ok())
            .collect();
        let mut programs: Vec<PlayerSpec> = Vec::new();
        for spec in found {
            if !usual.contains(&spec) && !programs.contains(&spec) {
                programs.push(spec);
            }
        }
        programs
    }

    /// Whether this system tells all processor time that a run of this configuration takes: that of programs which it starts and
    /// which go on is not known everywhere.
    pub fn tells_processor_time(&self) -> bool {
        self.is_told(counted())
    }

    fn is_told(&self, counted: Counted) -> bool {
        match counted {
            Counted::Nothing => false,
            Counted::WithoutLiveChildren => self.programs().is_empty(),
            Counted::Everything => true,
        }
    }
}

fn look(table: &Table, found: &mut Vec<PlayerSpec>) {
    if let Some(Value::Table(engine)) = table.get("engine") {
        let command = engine.get("command").and_then(Value::as_str).unwrap_or_default();
        let options = engine.get("options").and_then(Value::as_array);
        let options: Vec<&str> = options.into_iter().flatten().filter_map(Value::as_str).collect();
        if !command.trim().is_empty() {
            found.push(engine_of(command, &options));
        }
    }
    table.values().for_each(|value| look_at(value, found));
}

fn look_at(value: &Value, found: &mut Vec<PlayerSpec>) {
    match value {
        Value::Table(table) => look(table, found),
        Value::Array(values) => values.iter().for_each(|value| look_at(value, found)),
        Value::String(text) => {
            let spec: Option<PlayerSpec> = text.parse().ok();
            found.extend(spec.filter(|spec| spec.player_type().is_program()));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(text: &str) -> Vec<String> {
        let config =
            Config::read(None, Some((std::path::Path::new("my.toml"), text)), &[]).expect("a configuration");
        config.programs().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_program_is_found_wherever_it_stands() {
        for preset in crate::config::PRESETS {
            let config = Config::of_preset(preset.name).expect("a preset");
            assert_eq!(config.programs().len(), 0, "{}", preset.name);
        }
        let tuned = "[parameters]\nsource = \"options\"\n[engine]\ncommand = \"touch here\"\noptions = [\"Hash=1\"]\n";
        assert_eq!(programs(tuned), ["uci:cmd=touch,args=here,option.Hash=1"]);
        let opponents = "[objective]\nkind = \"opponents\"\nopponents = [\"random\", \"uci:cmd=touch\", \"uci:cmd=touch\"]\n";
        assert_eq!(programs(opponents), ["uci:cmd=touch"]);
        let reference = "[gauntlet]\nreferences = [{ elo = 1.0, player = \"xboard:cmd=touch\" }]\n";
        assert_eq!(programs(reference), ["xboard:cmd=touch"]);
        let later = "[[then]]\nname = \"next\"\n[then.change.engine]\ncommand = \"touch\"\n";
        assert_eq!(programs(later), ["uci:cmd=touch"]);
    }

    /// A figure that leaves engines out is none.
    #[test]
    fn processor_time_is_that_of_everybody_who_plays() {
        let own = Config::of_preset("narrow").expect("a preset");
        let file = "[parameters]\nsource = \"options\"\n[engine]\ncommand = \"somebody\"\n";
        let file = (std::path::Path::new("my.toml"), file);
        let external = Config::read(None, Some(file), &[]).expect("a configuration");
        for (counted, of_own, of_external) in [
            (Counted::Nothing, false, false),
            (Counted::WithoutLiveChildren, true, false),
            (Counted::Everything, true, true),
        ] {
            let told = (own.is_told(counted), external.is_told(counted));
            assert_eq!(told, (of_own, of_external), "{counted:?}");
        }
    }
}
