// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** What an API server does with objects: a ClusterStore in memory, validation, defaults, admission, garbage collection. */
@NullMarked
module dev.mooring.clusterstore {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires transitive dev.mooring.runtime;
    requires transitive dev.mooring.storage;
    requires cel.standalone;
    requires dev.mooring.storage.codec;
    requires org.slf4j;

    exports dev.mooring.clusterstore;
    exports dev.mooring.clusterstore.admission;
    exports dev.mooring.clusterstore.collection;
    exports dev.mooring.clusterstore.customresources;
    exports dev.mooring.clusterstore.defaulting;
    exports dev.mooring.clusterstore.duty;
    exports dev.mooring.clusterstore.fieldmanagement;
    exports dev.mooring.clusterstore.schema;
    exports dev.mooring.clusterstore.statefulset;
    exports dev.mooring.clusterstore.validation;
}
