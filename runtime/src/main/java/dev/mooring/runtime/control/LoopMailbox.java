// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** The mailbox of one controller of a loop. */
final class LoopMailbox implements Mailbox {
    private final Function<Key, WorkItem> items;
    private final Consumer<WorkItem> post;
    private final BiConsumer<String, Set<ObjectName>> needs;

    LoopMailbox(Function<Key, WorkItem> items, Consumer<WorkItem> post, BiConsumer<String, Set<ObjectName>> needs) {
        this.items = items;
        this.post = post;
        this.needs = needs;
    }

    @Override
    public void inputChanged(Key key) {
        WorkItem item = items.apply(key);
        item.backoffs.clear();
        post.accept(item);
    }

    @Override
    public void recheck(Key key) {
        post.accept(items.apply(key));
    }

    @Override
    public void needs(String what, Set<ObjectName> needed) {
        this.needs.accept(what, needed);
    }
}
