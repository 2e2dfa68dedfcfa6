// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cells as Kubernetes writes them. */
final class Cells {
    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
    private static final List<String> MODE_ORDER =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");
    private static final List<String> DEFAULT_CLASS =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    private Cells() {}

    static String text(Document object, String... path) {
        return object.text(path).orElse("");
    }

    static List<?> list(Document object, String... path) {
        return object.at(path).orElse("") instanceof List<?> list ? list : List.of();
    }

    static int size(Document object, String... path) {
        return object.object(path).map(each -> each.asMap().size()).orElse(0);
    }

    static String member(Object element, String key) {
        return element instanceof Map<?, ?> map && map.get(key) instanceof String text ? text : "";
    }

    static boolean truth(Document object, String... path) {
        return truth(object, false, path);
    }

    static boolean truth(Document object, boolean otherwise, String... path) {
        return object.at(path)
                .filter(Boolean.class::isInstance)
                .map(Boolean.class::cast)
                .orElse(otherwise);
    }

    static String modes(Document object, String... path) {
        List<?> given = list(object, path);
        List<String> shorts = new ArrayList<>();
        for (String mode : MODE_ORDER) {
            if (given.contains(mode)) {
                shorts.add(MODES.getOrDefault(mode, mode));
            }
        }
        return String.join(",", shorts);
    }

    static String phase(Document object) {
        return object.at("metadata", "deletionTimestamp").isPresent() ? "Terminating" : text(object, "status", "phase");
    }

    static boolean isDefaultClass(Document object) {
        return DEFAULT_CLASS.stream()
                .anyMatch(key -> text(object, "metadata", "annotations", key).equals("true"));
    }

    static String[] lastSeen(Document event) {
        return firstSet(
                event,
                new String[] {"series", "lastObservedTime"},
                new String[] {"lastTimestamp"},
                new String[] {"firstTimestamp"},
                new String[] {"eventTime"});
    }

    static String[] firstSeen(Document event) {
        return firstSet(event, new String[] {"firstTimestamp"}, new String[] {"eventTime"});
    }

    private static String[] firstSet(Document event, String[]... paths) {
        for (String[] path : paths) {
            if (!text(event, path).isEmpty()) {
                return path;
            }
        }
        return paths[0];
    }

    static String age(Document object, Instant now, String... path) {
        String time = text(object, path);
        if (time.isEmpty()) {
            return "<unknown>";
        }
        try {
            return human(Duration.between(Instant.parse(time), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    /** Two digits of what matters: {@code 5m3s}, {@code 47h}, {@code 3d4h}, {@code 400d}, {@code 2y3d}. */
    static String human(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        } else if (seconds < 0) {
            return "0s";
        } else if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return with(minutes, "m", seconds % 60, "s");
        } else if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return with(hours, "h", minutes % 60, "m");
        } else if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return with(days, "d", hours % 24, "h");
        } else if (days < 365 * 2) {
            return days + "d";
        } else if (days < 365 * 8) {
            return with(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String with(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
    }
}
