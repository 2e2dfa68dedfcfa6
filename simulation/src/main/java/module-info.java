// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Virtual time, faulty worlds, invariant checkers, scenario player. */
@NullMarked
module dev.mooring.simulation {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.clusterstore;
    requires transitive dev.mooring.runtime;
    requires transitive dev.mooring.storage;
    requires dev.mooring.attachdetach;
    requires dev.mooring.binder;
    requires dev.mooring.host.linux;
    requires dev.mooring.volumemanager;
    requires dev.mooring.storage.codec;

    exports dev.mooring.simulation;
    exports dev.mooring.simulation.invariant;
    exports dev.mooring.simulation.random;
    exports dev.mooring.simulation.scenario to
            dev.mooring.junit;
    exports dev.mooring.simulation.virtual;
    exports dev.mooring.simulation.world to
            dev.mooring.junit;
}
