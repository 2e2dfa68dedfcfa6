// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** All kinds of storage. */
final class Backends {
    /** Where only this node is meant. */
    static final String HERE =
            "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: ["
                    + World.NODE + "]}]}]}}";

    private static final Map<String, Backend> ALL = Map.of("hostPath", new HostPathDirectory());

    private Backends() {}

    static Backend named(String name) {
        Backend backend = ALL.get(name);
        if (backend == null) {
            throw new IllegalArgumentException(name);
        }
        return backend;
    }

    /** A directory of this machine. */
    private static final class HostPathDirectory implements Backend {
        @Override
        public String name() {
            return "hostPath";
        }

        @Override
        public String plugin() {
            return "kubernetes.io/host-path";
        }

        @Override
        public void start() {
            // nothing serves it
        }

        @Override
        public void make(Path data) {
            try {
                Files.createDirectories(data.resolve("disk"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String spec(Path data) {
            return "hostPath: {path: " + data.resolve("disk") + ", type: Directory}, " + HERE;
        }

        @Override
        public void remove(Path data) {
            // goes with the directory
        }
    }
}
