// Completion for shells. Both scripts call `reelctl complete`, which knows the commands from the
// table and the names from the appliance, so the scripts need no update. Pure.

/// Scripts by which shells complete `reelctl`.
public enum ShellCompletion {
  /// No blank follows a word that ends in /. Without candidates, file names are offered.
  public static let bash = #"""
    # Completion of reelctl for bash: eval "$(reelctl completion bash)"
    _reelctl() {
      local IFS=$'\n' word quote=''
      COMPREPLY=()
      word=${COMP_WORDS[COMP_CWORD]}
      case $word in
        \"*) quote=\" word=${word#\"} ;;
        \'*) quote=\' word=${word#\'} ;;
        *) word=${word//\\/} ;;
      esac
      local words=("${COMP_WORDS[@]:1:COMP_CWORD-1}") index
      for index in "${!words[@]}"; do
        case ${words[index]} in
          \"*|\'*) words[index]=${words[index]#?}; words[index]=${words[index]%[\"\']} ;;
          *) words[index]=${words[index]//\\/} ;;
        esac
      done
      local candidate
      for candidate in $(reelctl complete -- "${words[@]}" "$word" 2>/dev/null); do
        if [[ -n $quote ]]; then
          COMPREPLY+=("$candidate")
        else
          COMPREPLY+=("$(printf '%q' "$candidate")")
        fi
      done
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace
      fi
      if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        compopt -o default
      fi
    }
    complete -F _reelctl reelctl

    """#

  public static let zsh = #"""
    #compdef reelctl
    # Completion of reelctl for zsh: eval "$(reelctl completion zsh)"
    _reelctl() {
      local -a candidates whole open
      local -a given
      given=("${(Q)words[@]:1:CURRENT-2}")
      candidates=("${(@f)$(reelctl complete -- "${given[@]}" "${(Q)words[CURRENT]}" 2>/dev/null)}")
      candidates=(${candidates:#})
      if (( ${#candidates} == 0 )); then
        _files
        return
      fi
      whole=("${(@)candidates:#*/}")
      open=("${(@M)candidates:#*/}")
      (( ${#whole} )) && compadd -U -- "${whole[@]}"
      (( ${#open} )) && compadd -U -S '' -- "${open[@]}"
    }
    if [[ $zsh_eval_context[-1] == eval || $funcstack[1] != _reelctl ]]; then
      (( $+functions[compdef] )) && compdef _reelctl reelctl
    else
      _reelctl "$@"
    fi

    """#
}
