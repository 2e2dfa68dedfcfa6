# SPDX-License-Identifier: Apache-2.0
# Sourced by the programs beside it: launch NAME MAIN-CLASS ARGUMENT... builds what is missing and becomes the JVM.
# shellcheck shell=bash
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
jar=$root/benchmarks/target/benchmarks.jar
stamp=$root/benchmarks/target/benchmarks.sources
. "$root/etc/build.sh"

# Before a build that takes a minute.
check_arguments() {
    local expects= argument
    for argument in "$@"; do
        case $expects$argument in
            --quick | --once | -h | --help) ;;
            -o) expects=-o= ;;
            -o=json | -o=table) expects= ;;
            *)
                # How many claims.
                if [[ $name = agent || $name = cluster || $name = standalone ]] && [[ $argument =~ ^[1-9][0-9]*$ ]]; then continue; fi
                # Which launchers, or directories of other builds.
                if [[ $name = processes || $name = standalone ]] && [ -x "$argument" ]; then continue; fi
                echo "$name: what is \"$argument\"?" >&2
                echo "usage: ./benchmarks/$name [--quick|--once] [-o table|json]" >&2
                exit 2
                ;;
        esac
    done
    if [ -n "$expects" ]; then
        echo "$name: -o wants table or json" >&2
        exit 2
    fi
}

launch() {
    name=$1
    local main=$2 java
    shift 2
    check_arguments "$@"
    java=$("$root/distribution/src/dist/bin/mooring" which-java)
    if ! is_current "$jar" "$stamp"; then
        build "$jar" "$stamp" benchmarks "$root/benchmarks/target/$name-build.log"
        exec 9>&-
    fi
    # Relative paths in the manifest are relative to the jar, so this runs from everywhere.
    exec "$java" -cp "$jar" "$main" "$@"
}
