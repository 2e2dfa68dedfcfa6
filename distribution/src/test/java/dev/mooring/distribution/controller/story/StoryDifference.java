// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One value that is not the same on the two sides.
 *
 * @param path what it is, such as {@code pvc/c1.status.phase}
 * @param kubernetes what it is with kube-controller-manager
 * @param mooring what it is with Mooring
 */
record StoryDifference(String path, Optional<String> kubernetes, Optional<String> mooring) {
    static List<StoryDifference> between(StoryState kubernetes, StoryState mooring) {
        Set<String> paths = new TreeSet<>(kubernetes.values().keySet());
        paths.addAll(mooring.values().keySet());
        List<StoryDifference> differences = new ArrayList<>();
        for (String path : paths) {
            if (!kubernetes.at(path).equals(mooring.at(path))) {
                differences.add(new StoryDifference(path, kubernetes.at(path), mooring.at(path)));
            }
        }
        return differences;
    }

    /** The object, such as {@code pvc/c1}. */
    String object() {
        return path.substring(0, path.indexOf('.'));
    }

    /** What of the object, such as {@code status.phase}. */
    String field() {
        return path.substring(path.indexOf('.') + 1);
    }

    @Override
    public String toString() {
        return path + ": " + kubernetes.orElse("-") + " | " + mooring.orElse("-");
    }
}
