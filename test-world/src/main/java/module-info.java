// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** A cluster for the tests of operators: an API server with simulated nodes and storage, in this process. */
@NullMarked
module dev.mooring.junit {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires static transitive org.junit.jupiter.api;
    requires dev.mooring.apiserver;
    requires dev.mooring.binder;
    requires dev.mooring.clusterstore;
    requires dev.mooring.runtime;
    requires dev.mooring.simulation;
    requires dev.mooring.storage;
    requires dev.mooring.storage.codec;

    exports dev.mooring.junit;
}
