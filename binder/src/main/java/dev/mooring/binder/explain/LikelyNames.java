// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** What somebody may have meant who wrote a name that does not exist. Pure; thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LikelyNames {
    private static final int MOST = 10;

    private LikelyNames() {}

    /**
     * The name that differs from what was written by least.
     *
     * @return empty if each differs in more than a third of its letters
     */
    public static Optional<String> nearest(String written, Collection<String> names) {
        return names.stream()
                .filter(name -> distance(written, name) * 3 <= Math.max(written.length(), name.length()))
                .min(Comparator.comparingInt((String name) -> distance(written, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /**
     * A clause behind the sentence that says that a name does not exist: what may be meant, and what there is. At most ten names.
     *
     * @return for example {@code ; did you mean manual? There are: gold, manual}; empty text if there is none
     */
    public static String clause(String written, Collection<String> names) {
        List<String> all = names.stream().distinct().sorted().toList();
        if (all.isEmpty()) {
            return "";
        }
        Optional<String> meant = nearest(written, all);
        String listed = String.join(", ", all.subList(0, Math.min(MOST, all.size())))
                + (all.size() > MOST ? " and " + (all.size() - MOST) + " more" : "");
        return meant.map(name -> "; did you mean " + name + "? There are: ").orElse("; there are: ") + listed;
    }

    /** How many letters have to be changed, added or left out. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
