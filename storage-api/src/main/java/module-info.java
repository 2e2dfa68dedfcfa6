// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The model of persistent storage, the contract with plugins and the port to a cluster.
 *
 * <p>Depends on nothing but annotations.
 */
@NullMarked
module dev.mooring.storage {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires static transitive java.compiler;

    exports dev.mooring.storage.builder;
    exports dev.mooring.storage.compact to
            dev.mooring.storage.codec;
    exports dev.mooring.storage.document;
    exports dev.mooring.storage.model;
    exports dev.mooring.storage.spi;
    exports dev.mooring.storage.spi.host;
    exports dev.mooring.storage.store;
}
