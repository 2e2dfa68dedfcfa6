// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The door for embedders: all controllers of a cluster's volumes, and the agent of a node. */
@NullMarked
module dev.mooring.controlplane {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.attachdetach;
    requires transitive dev.mooring.binder;
    requires transitive dev.mooring.runtime;
    requires transitive dev.mooring.storage;
    requires transitive dev.mooring.volumemanager;
    requires org.slf4j;

    exports dev.mooring.controlplane;
}
