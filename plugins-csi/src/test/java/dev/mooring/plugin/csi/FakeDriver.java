// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import com.google.protobuf.Message;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.DriverServer;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.Snapshot;
import dev.mooring.csi.v1.Volume;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A driver of another program, as far as the wire shows: it keeps volumes in memory, and refuses what CSI forbids its callers. Its services
 * are in {@link FakeServices}.
 */
final class FakeDriver implements AutoCloseable {
    static final String NAME = "fake.csi.example.com";

    final Set<ControllerServiceCapability.RPC.Type> controller = EnumSet.of(
            ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME,
            ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
            ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
    final Set<NodeServiceCapability.RPC.Type> node = EnumSet.of(
            NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME, NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
    final Map<String, String> topology = new TreeMap<>();

    /** By the names with which they were asked for. */
    final Map<String, Volume> volumes = new TreeMap<>();

    /** By the names with which they were asked for. */
    final Map<String, Snapshot> snapshots = new TreeMap<>();

    /** How often a snapshot is not ready yet when it is asked for. */
    int unready;

    /** Whether it fills no volume from a source, without a word. */
    boolean forgetsContent;
    /** How many bytes are left, by the values of the topology; of what is not named here nothing is. */
    final Map<String, Long> free = new ConcurrentHashMap<>();

    /** How many volumes it says that the node takes. */
    volatile long mostVolumes = 9;

    /** What is wrong with volumes, by their ids. */
    final Map<String, String> abnormal = new ConcurrentHashMap<>();

    /** What happens before it lists its volumes. */
    volatile Runnable beforeListing = () -> {};

    /** Where it mounts; nowhere by default. */
    volatile Optional<MountingDriver> mounts = Optional.empty();

    final Set<String> attached = new TreeSet<>();
    final Set<String> staged = new TreeSet<>();
    final Set<String> published = new TreeSet<>();

    /** What the driver says when it is made to fail. */
    String words = "made to fail";

    private final List<String> calls = new ArrayList<>();
    private final Map<String, Message> requests = new HashMap<>();
    private final Map<String, List<Failure>> failures = new HashMap<>();
    private final CsiTransport transport = CsiTransport.start(1);
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final CsiEndpoint endpoint;
    private Optional<DriverServer> server;

    /**
     * How a call goes wrong.
     *
     * @param status what is answered
     * @param acted whether the call has its effect all the same
     */
    private record Failure(Status status, boolean acted) {}

    FakeDriver(Path socket) throws IOException {
        endpoint = new CsiEndpoint(socket);
        server = Optional.of(serve());
    }

    private DriverServer serve() throws IOException {
        FakeServices services = new FakeServices(this);
        return transport.serve(
                endpoint,
                PosixFilePermissions.fromString("rw-------"),
                List.of(services.identity(), services.controller(), services.node()),
                executor);
    }

    String endpoint() {
        return endpoint.toString();
    }

    /** The driver's process ends; what it has made stays. */
    void stop() {
        server.ifPresent(DriverServer::close);
        server = Optional.empty();
    }

    void startAgain() throws IOException {
        server = Optional.of(serve());
    }

    /** The next call of a name fails, and has no effect. */
    synchronized void fail(String call, Status.Code code) {
        failures.computeIfAbsent(call, fresh -> new ArrayList<>())
                .add(new Failure(code.toStatus().withDescription(words), false));
    }

    /** The next call of a name has its effect, but its answer says otherwise. */
    synchronized void actAndFail(String call, Status.Code code) {
        failures.computeIfAbsent(call, fresh -> new ArrayList<>())
                .add(new Failure(code.toStatus().withDescription(words), true));
    }

    /** The nodes that a volume is attached to, as the driver calls them. */
    List<String> nodesOf(String volume) {
        return attached.stream()
                .filter(each -> each.startsWith(volume + "@"))
                .map(each -> each.substring(volume.length() + 1))
                .toList();
    }

    /** The calls that were made, without those that only ask what the driver is. */
    synchronized List<String> called() {
        return calls.stream()
                .filter(call -> !call.equals("Probe")
                        && !call.startsWith("GetPlugin")
                        && !call.equals("NodeGetInfo")
                        && !call.contains("GetCapabilities"))
                .toList();
    }

    /** All calls. */
    synchronized List<String> all() {
        return List.copyOf(calls);
    }

    /** The last request of a call. */
    synchronized <T extends Message> T request(Class<T> type) {
        return type.cast(requests.get(type.getSimpleName().replace("Request", "")));
    }

    synchronized boolean isEmpty() {
        return volumes.isEmpty() && attached.isEmpty() && staged.isEmpty() && published.isEmpty();
    }

    <A> void answer(Message request, StreamObserver<A> observer, Supplier<A> action) {
        String name = request.getClass().getSimpleName().replace("Request", "");
        synchronized (this) {
            calls.add(name);
            requests.put(name, request);
            List<Failure> next = failures.getOrDefault(name, List.of());
            try {
                if (!next.isEmpty()) {
                    Failure failure = next.remove(0);
                    if (failure.acted()) {
                        A unused = action.get();
                    }
                    throw failure.status().asRuntimeException();
                }
                A answer = action.get();
                observer.onNext(answer);
                observer.onCompleted();
            } catch (RuntimeException failed) {
                observer.onError(failed);
            }
        }
    }

    @Override
    public void close() {
        stop();
        transport.close();
        executor.shutdownNow();
    }
}
