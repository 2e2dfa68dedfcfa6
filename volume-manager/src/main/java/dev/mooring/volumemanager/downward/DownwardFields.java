// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields of a pod that a volume can show, in the form in which Kubernetes shows them. Pure. */
public final class DownwardFields {
    private static final Set<String> PLAIN =
            Set.of("metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels", "metadata.annotations");
    private static final Pattern ONE = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

    private DownwardFields() {}

    /** Whether a volume can show it. */
    public static boolean isKnown(String path) {
        return PLAIN.contains(path) || ONE.matcher(path).matches();
    }

    /** The text of a known field; empty if the pod has no such label or annotation. */
    public static String of(Pod pod, String path) {
        ObjectMeta meta = pod.metadata();
        Matcher one = ONE.matcher(path);
        if (one.matches()) {
            Map<String, String> map = one.group(1).equals("labels") ? meta.labels() : meta.annotations();
            return map.getOrDefault(one.group(2), "");
        }
        return switch (path) {
            case "metadata.name" -> meta.name();
            case "metadata.namespace" -> meta.namespace();
            case "metadata.uid" -> meta.uid();
            case "metadata.labels" -> lines(meta.labels());
            case "metadata.annotations" -> lines(meta.annotations());
            default -> throw new IllegalArgumentException(path);
        };
    }

    /** The text of a field that a container may have in its environment; empty if it is not one that is known before the pod runs. */
    static Optional<String> ofEnvironment(Pod pod, String path) {
        return switch (path) {
            case "spec.nodeName" -> Optional.of(pod.spec().nodeName());
            case "spec.serviceAccountName" -> Optional.of(pod.spec().serviceAccountName());
            case "metadata.labels", "metadata.annotations" -> Optional.empty();
            default -> isKnown(path) ? Optional.of(of(pod, path)) : Optional.empty();
        };
    }

    private static String lines(Map<String, String> map) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
                        .collect(Collectors.joining("\n"));
    }

    /** In double quotes, with the escapes of Go's syntax, so that a value never makes a second line. */
    private static String quoted(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                case '\r' -> text.append("\\r");
                case 7 -> text.append("\\a");
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                case 11 -> text.append("\\v");
                default -> appendPlain(text, c);
            }
        });
        return text.append('"').toString();
    }

    private static void appendPlain(StringBuilder text, int c) {
        int type = Character.getType(c);
        boolean printable = c == ' '
                || !(Character.isISOControl(c)
                        || type == Character.FORMAT
                        || type == Character.SURROGATE
                        || type == Character.PRIVATE_USE
                        || type == Character.UNASSIGNED
                        || Character.isSpaceChar(c));
        if (printable) {
            text.appendCodePoint(c);
        } else if (c < 0x80) {
            text.append(String.format("\\x%02x", c));
        } else {
            text.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
        }
    }
}
