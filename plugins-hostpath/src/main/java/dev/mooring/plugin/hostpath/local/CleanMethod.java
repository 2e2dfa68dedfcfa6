// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How data is removed (semantics/plugins §5.2): {@code zero}; {@code discard}, which falls back to zeros where the device only promises;
 * {@code secure-discard} likewise; {@code shred} or {@code shred:N}, N times random data, then zeros; {@code signatures}, which makes the
 * disk look empty but leaves the data readable; {@code contents} for directories.
 *
 * @param kind which
 * @param times how often random data is written; 0 for all but shred
 */
record CleanMethod(Kind kind, int times) {
    static final CleanMethod ZERO = new CleanMethod(Kind.ZERO, 0);
    static final CleanMethod CONTENTS = new CleanMethod(Kind.CONTENTS, 0);

    /** The annotation of a volume that chooses. */
    static final String ANNOTATION = "mooring.dev/clean-method";

    private static final Pattern SHRED = Pattern.compile("shred(?::([1-9][0-9]?))?");
    private static final int USUAL_TIMES = 3;

    /** Which. */
    enum Kind {
        ZERO("zero"),
        DISCARD("discard"),
        SECURE_DISCARD("secure-discard"),
        SHRED("shred"),
        SIGNATURES("signatures"),
        CONTENTS("contents");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Once over a whole device. */
    enum Pass {
        RANDOM,
        ZERO,
        DISCARD,
        SECURE_DISCARD;

        boolean isDiscard() {
            return this == DISCARD || this == SECURE_DISCARD;
        }
    }

    static Optional<CleanMethod> parse(String text) {
        Matcher shred = SHRED.matcher(text);
        if (shred.matches()) {
            int times =
                    Optional.ofNullable(shred.group(1)).map(Integer::parseInt).orElse(USUAL_TIMES);
            return Optional.of(new CleanMethod(Kind.SHRED, times));
        }
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(text)) {
                return Optional.of(new CleanMethod(kind, 0));
            }
        }
        return Optional.empty();
    }

    /** What is done to the whole device, in this order; zeros after a discard only if it does not read as zeros then. */
    List<Pass> passes() {
        List<Pass> passes = new ArrayList<>(Collections.nCopies(times, Pass.RANDOM));
        if (kind == Kind.DISCARD) {
            passes.add(Pass.DISCARD);
        }
        if (kind == Kind.SECURE_DISCARD) {
            passes.add(Pass.SECURE_DISCARD);
        }
        passes.add(Pass.ZERO);
        return List.copyOf(passes);
    }

    @Override
    public String toString() {
        return kind == Kind.SHRED ? kind.text + ":" + times : kind.text;
    }
}
