// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Durable stores for tests. */
final class EmbeddedStores {
    static final int HISTORY = 400;

    private EmbeddedStores() {}

    static StoreOptions options() {
        return StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1)));
    }

    static EmbeddedClusterStore open(Path file) {
        return EmbeddedClusterStore.open(file, options(), new EmbeddedStoreLimits(HISTORY, 1 << 20));
    }

    static Document configMap(String name, String value) {
        return Document.of(Map.of("metadata", Map.of("name", name, "namespace", "x"), "data", Map.of("k", value)));
    }

    /** Writes more than history holds. */
    static void fill(EmbeddedClusterStore store) {
        for (int i = 0; i <= HISTORY; i++) {
            store.applyDocument(Kinds.CONFIG_MAP, configMap("filler", "" + i)).orThrow();
        }
    }

    /** Writes down what a watch says, one word a step. */
    static final class Steps implements DocumentListener {
        final List<String> seen = new ArrayList<>();

        @Override
        public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
            seen.add(type + " " + object.text("metadata", "name").orElse("") + " " + revision);
        }

        @Override
        public void onBookmark(Revision revision) {}

        @Override
        public void onEnd(Failure reason, String message) {
            seen.add(reason.name());
        }
    }

    /** Runs a tool; the answer is its exit status. */
    static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
