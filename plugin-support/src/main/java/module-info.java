// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** What storage plugins do alike, for Mooring's own plugins and for those of others. */
@NullMarked
module dev.mooring.plugin.support {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.storage;

    exports dev.mooring.plugin.support;
}
