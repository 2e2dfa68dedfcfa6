// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Carries the news of a {@link ContentFeed} to the controllers of a node. Confined to the decider's thread, on which the embedder delivers
 * them:
 *
 * <pre>{@code
 * feed.onChange(podUid -> {
 *     Future<?> unused = runtime.ask(caches -> {
 *         news.changed(podUid);
 *         return podUid;
 *     });
 * });
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContentChanges {
    private final List<Consumer<String>> listeners = new ArrayList<>();

    /** Makes one without listeners. */
    public ContentChanges() {}

    /** Asks to be told of the uid of each pod whose volumes may show something old. */
    public void listen(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Says that a pod's volumes may show something old. */
    public void changed(String podUid) {
        listeners.forEach(listener -> listener.accept(podUid));
    }
}
