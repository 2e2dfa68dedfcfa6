# SPDX-License-Identifier: Apache-2.0
# Sourced by the programs beside it: launch NAME MAIN-CLASS ARGUMENT... builds what is missing and becomes the JVM.
# shellcheck shell=bash
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
jar=$root/benchmarks/target/benchmarks.jar
modules=(storage-api storage-codec runtime cluster-store host-linux binder attach-detach volume-manager embedded-store
    api-server control-plane kubernetes plugin-support plugins-hostpath plugins-nfs plugins-iscsi simulation test-world distribution benchmarks)

die() {
    echo "$name: $*" >&2
    exit 69
}

# Before a build that takes a minute.
check_arguments() {
    local expects= argument
    for argument in "$@"; do
        case $expects$argument in
            --quick | --once | -h | --help) ;;
            -o) expects=-o= ;;
            -o=json | -o=table) expects= ;;
            *)
                # The size of a cluster.
                if [ "$name" = cluster ] && [[ $argument =~ ^[1-9][0-9]*$ ]]; then continue; fi
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

is_current() {
    [ -f "$jar" ] && [ -d "${jar%/*}/lib" ] &&
        [ -z "$(cd "$root" && find pom.xml "${modules[@]/%//pom.xml}" "${modules[@]/%//src/main}" \
            \( -name '*.java' -o -name pom.xml \) -newer "$jar" -print -quit)" ]
}

build() {
    local begin=$SECONDS log=$root/benchmarks/target/$name-build.log
    command -v mvn >/dev/null || die "not built yet, and there is no mvn: install Maven 3.8.7 or newer"
    mkdir -p "${log%/*}"
    # Two at once: the second waits and finds it done.
    exec 9>"${log%/*}/build.lock"
    if command -v flock >/dev/null; then flock 9; fi
    if is_current; then return; fi
    echo "$name: building (a minute or two) ..." >&2
    : >"$log.begin"
    if ! (cd "$root" && mvn -q -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true \
        -pl benchmarks -am package) </dev/null >"$log" 2>&1; then
        grep -m 20 -F '[ERROR]' "$log" >&2 || tail -n 20 "$log" >&2
        die "the build failed; all of it is in $log"
    fi
    touch -r "$log.begin" "$jar"
    echo "$name: built in $((SECONDS - begin)) s" >&2
}

launch() {
    name=$1
    local main=$2 java
    shift 2
    check_arguments "$@"
    java=$("$root/distribution/src/dist/bin/mooring" which-java)
    if ! is_current; then
        build
        exec 9>&-
    fi
    # Relative paths in the manifest are relative to the jar, so this runs from everywhere.
    exec "$java" -cp "$jar" "$main" "$@"
}
