// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.uses;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * The names of a few of many objects, for people: a message holds no more than an Event does, and costs the same however many there are.
 *
 * @param first the first names
 * @param more how many objects are not named
 */
public record FewNames(List<String> first, int more) {
    private static final int MOST = 10;
    private static final int LONGEST = 700;

    /** Copies the list. */
    public FewNames {
        first = List.copyOf(first);
    }

    /**
     * Takes the first names.
     *
     * @param names all names in their order; no more are asked for than are kept
     * @param size how many there are
     */
    static FewNames of(Iterator<String> names, int size) {
        List<String> first = new ArrayList<>(Math.min(size, MOST));
        int left = LONGEST;
        while (names.hasNext() && first.size() < MOST) {
            String name = names.next();
            left -= name.length();
            if (left < 0 && !first.isEmpty()) {
                break;
            }
            first.add(name);
        }
        return new FewNames(first, size - first.size());
    }

    /** Whether there is no object at all. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** How many objects there are. */
    public int size() {
        return first.size() + more;
    }

    /** The names, and how many more there are. */
    public String counted() {
        return more == 0 ? uncounted() : String.join(",", first) + String.format(Locale.ROOT, " and %,d more", more);
    }

    /** The same without the number: that there is one more or one less is no news. */
    public String uncounted() {
        return String.join(",", first) + (more == 0 ? "" : " and more");
    }
}
