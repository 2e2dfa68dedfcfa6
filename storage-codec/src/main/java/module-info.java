// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Kubernetes JSON and YAML to documents and back. */
@NullMarked
module dev.mooring.storage.codec {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.storage;
    requires com.fasterxml.jackson.core;
    requires org.snakeyaml.engine;

    exports dev.mooring.storage.codec;
}
