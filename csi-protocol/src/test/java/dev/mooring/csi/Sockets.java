// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi;

import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A transport and threads for servers; both end with it. */
final class Sockets implements AutoCloseable {
    static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
    /** Longer than any call of a test that works. */
    static final Duration AMPLE = Duration.ofMinutes(2);

    private final CsiTransport transport = CsiTransport.start(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    DriverServer serve(CsiEndpoint endpoint, BindableService... services) throws IOException {
        return transport.serve(endpoint, OWNER, List.of(services), threads);
    }

    DriverChannel connect(CsiEndpoint endpoint) {
        return transport.connect(endpoint);
    }

    static <A> void answer(StreamObserver<A> observer, A answer) {
        observer.onNext(answer);
        observer.onCompleted();
    }

    @Override
    public void close() {
        transport.close();
        threads.shutdownNow();
    }
}
