// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mooring generate-completion}: what a shell completes, the cluster's objects among it. */
@Command(
        name = "generate-completion",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Prints a script by which bash or zsh completes commands and options, and for explain, release and adopt the names of the"
                    + " cluster's objects.",
            "Use it so: source <(mooring generate-completion)"
        })
final class CompletionCommand implements Runnable {
    /** Objects are asked for where the word is no option; all else is the library's. */
    private static final String OBJECTS = """

            # Objects of the cluster, for explain, release and adopt.
            _mooring_with_objects() {
              local word=${COMP_WORDS[COMP_CWORD]}
              case ${COMP_WORDS[1]} in
                explain | release | adopt)
                  if [ "$COMP_CWORD" -ge 2 ] && [ "${word#-}" = "$word" ]; then
                    COMPREPLY=()
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                    # A kind is followed by a name, not by a space.
                    case ${COMPREPLY[0]} in */) compopt -o nospace 2>/dev/null ;; esac
                    [ "${#COMPREPLY[@]}" -gt 0 ] && return 0
                  fi
                  ;;
              esac
              _complete_mooring
            }
            complete -F _mooring_with_objects -o default mooring mooring.sh mooring.bash
            """;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("mooring", spec.root().commandLine()));
        out.print(OBJECTS);
        out.flush();
    }
}
