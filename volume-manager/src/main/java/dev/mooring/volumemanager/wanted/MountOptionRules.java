// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.wanted;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which mount options a volume may carry (semantics/plugins §1.3). One element is one option: what would smuggle in a second one, take
 * effect outside the mount, or belongs to the host, is refused; of two that contradict each other none is guessed. Pure.
 */
final class MountOptionRules {
    private static final Set<String> REFUSED = Set.of(
            "bind",
            "rbind",
            "move",
            "remount",
            "loop",
            "user",
            "users",
            "owner",
            "group",
            "helper",
            "context",
            "fscontext",
            "defcontext",
            "rootcontext");

    private static final List<String> REFUSED_BEGINNINGS = List.of("make-", "x-mount.", "X-");

    private static final Set<String> SWITCHES = Set.of(
            "suid",
            "dev",
            "exec",
            "atime",
            "diratime",
            "relatime",
            "strictatime",
            "lazytime",
            "iversion",
            "mand",
            "acl",
            "user_xattr",
            "barrier",
            "discard",
            "quota",
            "cto",
            "ac",
            "lock",
            "intr",
            "fsc",
            "resvport",
            "sharecache",
            "rdirplus");

    private MountOptionRules() {}

    /**
     * Why a volume with these options is not mounted.
     *
     * @param options in the user's order
     * @return one line that names the first faulty option; empty if there is none
     */
    static Optional<String> problemOf(List<String> options) {
        Set<String> words = new LinkedHashSet<>();
        for (String option : options) {
            Optional<String> fault = faultOf(option);
            if (fault.isPresent()) {
                return Optional.of("mount option " + shown(option) + " " + fault.get());
            }
            Optional<String> contrary = contraryOf(option).filter(words::contains);
            if (contrary.isPresent()) {
                return Optional.of("mount options '" + contrary.get() + "' and '" + option + "' contradict each other");
            }
            words.add(option);
        }
        return Optional.empty();
    }

    private static Optional<String> faultOf(String option) {
        if (option.isBlank()) {
            return Optional.of("is empty");
        }
        if (option.chars().anyMatch(c -> c == ',' || Character.isISOControl(c))) {
            return Optional.of("holds a comma or a control character: one element is one option");
        }
        if (!option.equals(option.strip())) {
            return Optional.of("begins or ends with a blank");
        }
        String lower = option.toLowerCase(Locale.ROOT);
        int equals = lower.indexOf('=');
        String name = equals < 0 ? lower : lower.substring(0, equals);
        boolean refused = REFUSED.contains(name) || REFUSED_BEGINNINGS.stream().anyMatch(option::startsWith);
        return refused ? Optional.of("is not allowed on a volume") : Optional.empty();
    }

    private static Optional<String> contraryOf(String option) {
        if (option.equals("ro") || option.equals("rw")) {
            return Optional.of(option.equals("ro") ? "rw" : "ro");
        }
        if (option.equals("sync") || option.equals("async")) {
            return Optional.of(option.equals("sync") ? "async" : "sync");
        }
        if (option.equals("hard") || option.equals("soft")) {
            return Optional.of(option.equals("hard") ? "soft" : "hard");
        }
        if (option.startsWith("no") && SWITCHES.contains(option.substring(2))) {
            return Optional.of(option.substring(2));
        }
        return SWITCHES.contains(option) ? Optional.of("no" + option) : Optional.empty();
    }

    /** For people: bounded, without control characters. */
    private static String shown(String option) {
        String text = option.replaceAll("\\p{Cntrl}", "?");
        return "'" + (text.length() <= 64 ? text : text.substring(0, 63) + "…") + "'";
    }
}
