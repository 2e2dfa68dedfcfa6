// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What there is at the end of a world, but for uids, times and versions: two worlds of one end have equal ones.
 *
 * @param objects each object as a text, sorted, as are the lists in it: order does not count
 */
record Ending(List<String> objects) {
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    static Ending of(List<Document> all) {
        Map<String, String> names = new TreeMap<>();
        all.forEach(object -> object.text("metadata", "uid").ifPresent(uid -> names.put(uid, titleOf(object))));
        List<String> objects = new ArrayList<>();
        for (Document object : all) {
            Document shown = object.without("metadata", "uid").without("metadata", "generation");
            if (object.text("kind").filter("VolumeAttachment"::equals).isPresent()) {
                shown = shown.without("metadata", "name"); // is made from uids
            }
            objects.add(withoutUids(ordered(shown.asMap()), names));
        }
        objects.sort(null);
        return new Ending(objects);
    }

    private static String titleOf(Document object) {
        String name = object.text("metadata", "name").orElse("");
        return "<" + object.text("kind").orElse("") + " " + (UID.matcher(name).find() ? "" : name) + ">";
    }

    private static String ordered(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(String.valueOf(key), ordered(each)));
            sorted.remove("resourceVersion"); // a claimRef has one, too
            return sorted.toString();
        }
        if (value instanceof List<?> list) {
            List<String> sorted = new ArrayList<>();
            list.forEach(each -> sorted.add(ordered(each)));
            sorted.sort(null);
            return sorted.toString();
        }
        return String.valueOf(value);
    }

    private static String withoutUids(String text, Map<String, String> names) {
        String named = UID.matcher(text).replaceAll(found -> names.getOrDefault(found.group(), "<deleted object>"));
        return TIME.matcher(named).replaceAll("<time>");
    }

    /** What is at this end and not at another; empty if it is all there. */
    List<String> without(Ending other) {
        List<String> left = new ArrayList<>(objects);
        other.objects.forEach(left::remove); // one for each: of two that look the same one may be too many
        return left;
    }
}
