// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** A ClusterStore over a real API server, and the election of a leader by a lease. */
@NullMarked
module dev.mooring.kubernetes {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.runtime;
    requires transitive dev.mooring.storage;
    requires dev.mooring.storage.codec;
    requires io.fabric8.kubernetes.client.jdkhttp;
    requires kubernetes.client.api;
    requires kubernetes.model.common;
    requires kubernetes.model.core;
    requires org.apache.httpcomponents.core5.httpcore5;
    requires org.slf4j;
    // An automatic module says of no named one that it needs it.
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.yaml;
    requires com.fasterxml.jackson.datatype.jsr310;
    requires java.net.http;

    exports dev.mooring.kubernetes;
}
