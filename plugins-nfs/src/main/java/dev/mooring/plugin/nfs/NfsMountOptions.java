// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of one mount: the user's in the user's order, then ours, which win (semantics/plugins §1.3, §2.2). Pure.
 *
 * @param words as they are given to the tool
 * @param settings what each of them sets, by setting
 */
record NfsMountOptions(List<String> words, Map<String, String> settings) {
    static final String ACCESS = "access";
    static final String RECOVERY = "recovery";
    static final String VERSION = "vers";
    static final String TRANSPORT = "proto";
    static final String SECURITY = "sec";

    private static final String RETRY = "retry";
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cntrl},]");
    private static final Pattern VERSION_WORD = Pattern.compile("v(\\d(\\.\\d)?)");
    /** Another file system, another server, another time, or another user than the volume says. */
    private static final Pattern FORBIDDEN =
            Pattern.compile("(bind|rbind|move|remount|loop|users?|owner|group|bg|make-.*|[xX]-.*)"
                    + "|(helper|addr|context|fscontext|defcontext|rootcontext|user|loop)=.*");

    private static final Set<String> RECOVERIES = Set.of("hard", "soft", "softerr");
    private static final Set<String> TRANSPORTS = Set.of("tcp", "udp", "rdma");

    /**
     * Composes the options of a mount.
     *
     * @param user the user's options
     * @param readOnly whether nothing may write
     * @return the options; refused as INVALID if the user's contradict each other or may not be used
     */
    static Outcome<NfsMountOptions> of(List<String> user, boolean readOnly) {
        List<String> words = new ArrayList<>();
        Map<String, String> settings = new LinkedHashMap<>();
        for (String word : user) {
            if (word.isBlank() || UNSAFE.matcher(word).find()) {
                return Outcome.refused(
                        Refusal.INVALID,
                        "a mount option is empty or holds a comma or control character: '" + printable(word) + "'");
            }
            if (FORBIDDEN.matcher(word).matches()) {
                return Outcome.refused(Refusal.INVALID, "mount option '" + word + "' may not be used on a volume");
            }
            Setting setting = Setting.of(word);
            Optional<String> before = Optional.ofNullable(settings.put(setting.key(), setting.value()));
            if (before.isPresent() && !before.get().equals(setting.value())) {
                return Outcome.refused(Refusal.INVALID, "mount options contradict each other about " + setting.key());
            }
            boolean overruled = readOnly && setting.key().equals(ACCESS);
            if (before.isEmpty() && !overruled) {
                words.add(word);
            }
        }
        if (readOnly) {
            words.add("ro");
            settings.put(ACCESS, "ro");
        }
        if (!settings.containsKey(RETRY)) {
            // repeating and deadlines are the host's
            words.add("retry=0");
        }
        return Outcome.done(new NfsMountOptions(List.copyOf(words), settings));
    }

    /** Whether nothing may write through the mount. */
    boolean readOnly() {
        return "ro".equals(settings.get(ACCESS));
    }

    /** What was asked for; empty if the user left it open. */
    Optional<String> setting(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    /** As one argument of the tool. */
    String joined() {
        return String.join(",", words);
    }

    private static String printable(String word) {
        return word.replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * What an option sets.
     *
     * @param key the setting
     * @param value its value
     */
    record Setting(String key, String value) {
        static Setting of(String word) {
            if (word.equals("ro") || word.equals("rw")) {
                return new Setting(ACCESS, word);
            }
            if (RECOVERIES.contains(word)) {
                return new Setting(RECOVERY, word);
            }
            if (TRANSPORTS.contains(word)) {
                return new Setting(TRANSPORT, word);
            }
            var version = VERSION_WORD.matcher(word);
            if (version.matches()) {
                return new Setting(VERSION, version.group(1));
            }
            int equals = word.indexOf('=');
            if (equals > 0) {
                String key = word.substring(0, equals);
                return new Setting(key.equals("nfsvers") ? VERSION : key, word.substring(equals + 1));
            }
            return word.startsWith("no") ? new Setting(word.substring(2), "no") : new Setting(word, "yes");
        }
    }
}
