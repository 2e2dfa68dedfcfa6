// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** What a name that does not exist may have been meant to be. Pure; thread-safe. */
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
                .filter(name -> Math.abs(written.length() - name.length()) * 3 <= name.length() + 3)
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

    /** How many letters have to be changed, added, left out, or exchanged with the next one. */
    private static int distance(String one, String other) {
        int[][] rows = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : least(one, other, rows, i, j);
            }
        }
        return rows[one.length()][other.length()];
    }

    private static int least(String one, String other, int[][] rows, int i, int j) {
        int changed = rows[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(changed, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean exchanged =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return exchanged ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
    }
}
