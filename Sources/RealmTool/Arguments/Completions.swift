/// Completions for shells, made of the descriptions of the commands.
enum Completions {
  static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    default: nil
    }
  }

  // MARK: bash

  private static var bash: String {
    let names = Command.all.map(\.name).joined(separator: " ")
    var script = """
      # Completions of realm for bash.
      _realm() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options=
        COMPREPLY=()
        if [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word"))
          return
        fi
        case ${COMP_WORDS[1]},$previous in

      """
    for command in Command.all {
      for option in command.options {
        if case .choice(let choices) = option.value {
          script +=
            "    \(command.name),\(option.name)) COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$word\")); return ;;\n"
        }
      }
    }
    script += "  esac\n  case ${COMP_WORDS[1]} in\n"
    for command in Command.all {
      let options = command.allOptions.map(\.name).joined(separator: " ")
      script += "    \(command.name)) options=\"\(options)\" ;;\n"
    }
    script += """
        esac
        if [[ $word == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        else
          compopt -o filenames 2>/dev/null
          COMPREPLY=($(compgen -f -- "$word"))
        fi
      }
      complete -F _realm realm

      """
    return script
  }

  // MARK: zsh

  private static var zsh: String {
    var script = "#compdef realm\n\n_realm() {\n  local -a commands\n  commands=(\n"
    for command in Command.all { script += "    '\(command.name):\(quoted(command.summary))'\n" }
    script += """
        )
        if (( CURRENT == 2 )); then
          _describe -t commands 'realm command' commands
          return
        fi
        local command=$words[2]
        words=("realm $command" "${(@)words[3,-1]}")
        (( CURRENT-- ))
        case $command in

      """
    for command in Command.all {
      let options = command.allOptions.map { "'\($0.name)[\(quoted($0.help))]\(zshValue($0.value))'" }
      let operands = command.operands.map { operand in
        let place = operand.number == .atLeastOne ? "*" : ""
        return "'\(place):\(quoted(operand.name)):\(zshAction(operand.kind))'"
      }
      script += "    \(command.name)) _arguments \((options + operands).joined(separator: " ")) ;;\n"
    }
    script += "  esac\n}\n\n_realm \"$@\"\n"
    return script
  }

  private static func zshValue(_ kind: ValueKind?) -> String {
    kind.map { ":\(quoted($0.placeholder)):\(zshAction($0))" } ?? ""
  }

  private static func zshAction(_ kind: ValueKind) -> String {
    switch kind {
    case .file: "_files"
    case .folder: "_files -/"
    case .choice(let choices): "(\(choices.joined(separator: " ")))"
    case .text, .number: " "
    }
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "(").replacing("]", with: ")").replacing(
      ":", with: "\\:")
  }
}
