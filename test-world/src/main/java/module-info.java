// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** A cluster for the tests of operators: an API server with simulated nodes and storage, in this process. */
@NullMarked
module dev.mooring.junit {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires static transitive org.junit.jupiter.api;
    requires transitive dev.mooring.storage;
    requires dev.mooring.apiserver;
    requires dev.mooring.attachdetach;
    requires dev.mooring.binder;
    requires dev.mooring.clusterstore;
    requires dev.mooring.host.linux;
    requires dev.mooring.runtime;
    requires dev.mooring.simulation;
    requires dev.mooring.storage.codec;
    requires dev.mooring.volumemanager;

    exports dev.mooring.junit;

    uses dev.mooring.storage.spi.StoragePlugin;
}
