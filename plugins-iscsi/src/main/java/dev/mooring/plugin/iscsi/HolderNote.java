// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.NodeRef;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the note on a volume says of its reservation. The holder is a hint only, since the key at the target decides; only the next holder
 * may remove a key that was left behind. Pure.
 *
 * @param holder who holds it
 * @param released the keys of nodes that have let go of the volume and could not unregister at the target
 */
record HolderNote(Optional<Holder> holder, List<String> released) {
    /** The annotation. */
    static final String NAME = "mooring.dev/iscsi-holder";

    private static final String RELEASED = "released";
    private static final int HOLDER_WORDS = 3;

    HolderNote {
        released = List.copyOf(released);
    }

    /**
     * Who holds a reservation.
     *
     * @param key the key
     * @param node whose
     */
    record Holder(String key, NodeRef node) {}

    static HolderNote of(String key, NodeRef node) {
        return new HolderNote(Optional.of(new Holder(key, node)), List.of());
    }

    /** What cannot be understood says nothing. */
    static HolderNote parse(String text) {
        List<String> words = Arrays.asList(text.split(" ", -1));
        if (words.get(0).equals(RELEASED)) {
            return new HolderNote(Optional.empty(), words.subList(1, words.size()));
        }
        if (words.size() < HOLDER_WORDS) {
            return new HolderNote(Optional.empty(), List.of());
        }
        boolean more = words.size() > HOLDER_WORDS && words.get(HOLDER_WORDS).equals(RELEASED);
        return new HolderNote(
                Optional.of(new Holder(words.get(0), new NodeRef(words.get(1), words.get(2)))),
                more ? words.subList(HOLDER_WORDS + 1, words.size()) : List.of());
    }

    /**
     * Adds keys that were left behind to those that are noted. A node that came since stays the holder; the node of such a key is no holder any more.
     */
    HolderNote withReleased(List<String> keys) {
        return new HolderNote(
                holder.filter(known -> !keys.contains(known.key())),
                Stream.concat(released.stream(), keys.stream()).distinct().toList());
    }

    String text() {
        String held = holder.map(who ->
                        who.key() + " " + who.node().name() + " " + who.node().uid())
                .orElse("");
        String left = released.isEmpty() ? "" : RELEASED + " " + String.join(" ", released);
        return (held + " " + left).strip();
    }
}
