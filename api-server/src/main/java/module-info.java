// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The REST API of a cluster store, as kubectl and other clients of Kubernetes expect it. */
@NullMarked
module dev.mooring.apiserver {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.clusterstore;
    requires dev.mooring.runtime;
    requires dev.mooring.storage;
    requires dev.mooring.storage.codec;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.websocket.core.server;
    requires org.slf4j;

    exports dev.mooring.apiserver;
    exports dev.mooring.apiserver.access to
            dev.mooring.distribution;
    exports dev.mooring.apiserver.file to
            dev.mooring.distribution;
    exports dev.mooring.apiserver.http to
            dev.mooring.distribution;
    exports dev.mooring.apiserver.protobuf to
            dev.mooring.distribution;
    exports dev.mooring.apiserver.resource to
            dev.mooring.junit;
    exports dev.mooring.apiserver.rest to
            dev.mooring.distribution;
    exports dev.mooring.apiserver.token to
            dev.mooring.distribution;
}
