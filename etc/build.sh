# SPDX-License-Identifier: Apache-2.0
# Sourced by ./mooring and by the programs of benchmarks/: builds what is missing. They set "root" and "name", the words before a message.
# shellcheck shell=bash disable=SC2154

die() {
    echo "$name: $*" >&2
    exit 69
}

# What the jars and the sources say, whatever their times.
fingerprint() { # JAR: with all that lie beside it
    (cd "${1%/*}" && find . -name '*.jar' -type f -exec sha256sum {} + | LC_ALL=C sort | sha256sum)
    (cd "$root" && find pom.xml ./*/pom.xml ./*/src/main -type f -exec sha256sum {} + | LC_ALL=C sort | sha256sum)
}

# is_current JAR STAMP: whether it was built from the sources as they are. Times decide where they can. A copy and a new checkout give all
# files new times: then what is in them decides, which STAMP keeps. JAR keeps its time, by which the class archive knows it.
is_current() {
    local jar=$1 stamp=$2 since=$1 begin now
    [ -f "$jar" ] || return 1
    if [ "$stamp" -nt "$jar" ]; then since=$stamp; fi
    begin=$(date +%s.%N)
    # Directories count: a file may have been deleted.
    if [ -n "$(cd "$root" && find pom.xml ./*/pom.xml ./*/src/main -newer "$since" -print -quit)" ]; then
        [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint "$jar")" ] || return 1
    elif [ "$since" = "$jar" ] && [ -w "${stamp%/*}" ]; then # another user's checkout need not be writable
        now=$(fingerprint "$jar")
        printf '%s\n' "$now" >"$stamp"
    else
        return 0
    fi
    # What is saved meanwhile is newer.
    touch -d "@$begin" "$stamp" 2>/dev/null || true
}

# One line for each module, on a terminal.
show_progress() {
    local line
    while IFS= read -r line; do
        if [ -t 2 ] && [[ $line =~ ^'[INFO] Building '(.*[^ ])' '+('['[0-9]+/[0-9]+']')$ ]]; then
            printf '%s: %s %s\n' "$name" "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}" >&2
        fi
    done
}

# build JAR STAMP MODULE LOG MAVEN-OPTION...: without tests.
build() {
    local jar=$1 stamp=$2 module=$3 log=$4 begin=$SECONDS words='first run, building'
    shift 4
    command -v mvn >/dev/null || die "not built yet, and there is no mvn: install Maven 3.8.7 or newer"
    mkdir -p "${log%/*}"
    # Two at once: the second waits and finds it done.
    exec 9>"$log.lock"
    if command -v flock >/dev/null; then flock 9; fi
    if is_current "$jar" "$stamp"; then return; fi
    if [ -f "$jar" ]; then words='sources changed, building'; fi
    echo "$name: $words (a minute or more) ..." >&2
    rm -f "$stamp" # it says nothing of what comes now
    : >"$log.begin"
    if ! (cd "$root" && mvn -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true "$@" \
        -pl "$module" -am package) </dev/null 2>&1 | tee "$log" | show_progress; then
        grep -m 20 -F '[ERROR]' "$log" >&2 || tail -n 20 "$log" >&2
        die "the build failed; all of it is in $log"
    fi
    # It is as old as the start of the build that made it.
    touch -r "$log.begin" "$jar"
    echo "$name: built in $((SECONDS - begin)) s" >&2
}
