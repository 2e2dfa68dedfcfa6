// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** What a single machine keeps on its disk. */
@NullMarked
module dev.mooring.store.embedded {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.clusterstore;
    requires transitive dev.mooring.runtime;
    requires dev.mooring.storage.codec;
    requires java.sql;
    requires org.xerial.sqlitejdbc;

    exports dev.mooring.store.embedded;
}
