// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** The mailbox of one controller of a loop. */
final class LoopMailbox implements Mailbox {
    private final Function<Key, WorkItem> slots;
    private final Consumer<WorkItem> post;
    private final BiConsumer<String, Set<ObjectName>> needs;

    LoopMailbox(Function<Key, WorkItem> slots, Consumer<WorkItem> post, BiConsumer<String, Set<ObjectName>> needs) {
        this.slots = slots;
        this.post = post;
        this.needs = needs;
    }

    @Override
    public void inputChanged(Key key) {
        WorkItem slot = slots.apply(key);
        slot.backoffs.clear();
        post.accept(slot);
    }

    @Override
    public void recheck(Key key) {
        post.accept(slots.apply(key));
    }

    @Override
    public void needs(String what, Set<ObjectName> needed) {
        this.needs.accept(what, needed);
    }
}
