// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The Container Storage Interface on the wire: its messages, channels to drivers, and servers on unix sockets. Depends on nothing of
 * Mooring's.
 */
@NullMarked
module dev.mooring.csi {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive com.google.common;
    requires transitive com.google.protobuf;
    requires transitive io.grpc;
    requires transitive io.grpc.stub;
    requires io.grpc.netty;
    requires io.grpc.protobuf;
    requires io.netty.common;
    requires io.netty.transport;
    // An automatic module says of no named one that it needs it.
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.handler;
    requires io.netty.handler.proxy;
    requires io.netty.resolver;
    requires io.netty.transport.unix.common;

    exports dev.mooring.csi;
    exports dev.mooring.csi.registration;
    exports dev.mooring.csi.v1;

    opens dev.mooring.csi.registration to
            com.google.protobuf;
    opens dev.mooring.csi.v1 to
            com.google.protobuf;
}
