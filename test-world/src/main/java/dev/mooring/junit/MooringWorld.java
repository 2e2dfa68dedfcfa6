// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.junit.world.CallsOfClass;
import dev.mooring.junit.world.LiveWorld;
import dev.mooring.junit.world.RealBackEnds;
import dev.mooring.junit.world.WantedPlugins;
import dev.mooring.junit.world.WorldParts;
import dev.mooring.simulation.world.CallFault;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.DeleteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apiguardian.api.API;

/**
 * A whole cluster for a test: an API server in this process, Mooring's controllers, simulated nodes, and storage, simulated or real. A test gets one by
 * {@link MooringCluster}; a program makes one by {@link #builder}.
 *
 * <pre>{@code
 * try (MooringWorld world = MooringWorld.builder().nodes(3).storageClasses("standard").start()) {
 *     String kubeconfig = world.kubeconfig(); // for any client
 *     world.advance(Duration.ofMinutes(6));
 * }
 * }</pre>
 *
 * <p>Its clock is the wall clock plus the sum of all advances: times of objects, the life of nodes, expiry and back-offs go by it. TLS,
 * tokens and time-outs of watches go by the wall clock. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MooringWorld implements AutoCloseable {
    private final LiveWorld live;
    private final ApiServer server;
    private final String namespace;
    /** Whether it is one of many in its cluster. */
    private final boolean shares;

    private final Set<String> stopped = ConcurrentHashMap.newKeySet();
    /** True once the faults that were made so far are over; replaced by another one then. */
    private final AtomicReference<AtomicBoolean> faultsOver = new AtomicReference<>(new AtomicBoolean());

    private MooringWorld(LiveWorld live, ApiServer server, String namespace, boolean shares) {
        this.live = live;
        this.server = server;
        this.namespace = namespace;
        this.shares = shares;
    }

    /** Begins to describe a world: with one node and a class {@code standard}, unless something else is asked for. */
    public static Builder builder() {
        return new Builder();
    }

    /** Describes a world, and starts it. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {
        private int nodes = 1;
        private List<String> storageClasses = List.of("standard");
        private List<String> drivers = List.of();
        private Optional<Path> scenario = Optional.empty();
        private boolean tls;
        private List<String> pluginNames = List.of();
        private final List<StoragePlugin> plugins = new ArrayList<>();

        private Builder() {}

        /** How many nodes there are: {@code node-1} and so on; at most 200. */
        public Builder nodes(int count) {
            nodes = count;
            return this;
        }

        /**
         * Classes; the first one is the default. {@code NAME=PLUGIN} names the plugin that makes the volumes; without it they are simulated.
         * Volumes are made at once, or when a pod uses them if the plugin makes them on a node.
         */
        public Builder storageClasses(String... names) {
            storageClasses = List.of(names);
            return this;
        }

        /** CSI drivers that the volumes of the test may name. */
        public Builder drivers(String... names) {
            drivers = List.of(names);
            return this;
        }

        /**
         * Plugins whose volumes are real: directories and mounts of this machine, as in production. They are found by {@link ServiceLoader}, and
         * need root on Linux, see {@link MooringWorld#whyNoRealBackEnds}.
         *
         * @param names such as {@code kubernetes.io/host-path}
         */
        public Builder plugins(String... names) {
            pluginNames = List.of(names);
            return this;
        }

        /** One more plugin whose volumes are real, used as it is. */
        public Builder plugin(StoragePlugin plugin) {
            plugins.add(plugin);
            return this;
        }

        /** A scenario file that is played first. */
        public Builder scenario(Path file) {
            scenario = Optional.of(file);
            return this;
        }

        /** Serves by TLS, with a token. Without it the server is plain, and every process of this machine is its administrator. */
        public Builder tls(boolean wanted) {
            tls = wanted;
            return this;
        }

        /**
         * Starts the world.
         *
         * @throws UncheckedIOException if no port of the loopback can be listened on
         * @throws IllegalArgumentException if something of it cannot be; the message says what
         * @throws IllegalStateException if plugins are named, and this process cannot have real back-ends here
         * @throws AssertionError if an expectation of the scenario does not hold
         */
        public MooringWorld start() {
            LiveWorld live = LiveWorld.start(new WorldParts(
                    nodes, storageClasses, drivers, scenario, new WantedPlugins(installed(pluginNames), plugins)));
            try {
                ApiServer.Builder described = ApiServer.builder(live.store()).objectClock(live.clock());
                ApiServer server = (tls ? described : described.plain()).start();
                return new MooringWorld(live, server, "default", false);
            } catch (IOException e) {
                live.close();
                throw new UncheckedIOException(e);
            } catch (RuntimeException e) {
                live.close();
                throw e;
            }
        }

        private static List<StoragePlugin> installed(List<String> names) {
            Map<String, StoragePlugin> found = new TreeMap<>();
            if (!names.isEmpty()) {
                ServiceLoader.load(StoragePlugin.class)
                        .forEach(plugin -> found.put(plugin.describe().name().value(), plugin));
            }
            names.forEach(name -> Vocabulary.require("plugin on the class path", name, found.keySet()));
            return names.stream().distinct().map(found::get).toList();
        }
    }

    /**
     * Why this process cannot have real back-ends on this machine, such as that it is not root; empty if it can. A test that needs them may be
     * left out by it: {@code assumeTrue(MooringWorld.whyNoRealBackEnds().isEmpty())}.
     */
    public static Optional<String> whyNoRealBackEnds() {
        return RealBackEnds.whyNot();
    }

    /**
     * The same cluster for one who works in another namespace, which is made if it is not there. The faults that he makes strike the volumes of
     * claims in this namespace alone. Only the first world is to be closed.
     */
    public MooringWorld inNamespace(String name) {
        live.store().createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", name))));
        return new MooringWorld(live, server, name, true);
    }

    /** Ends its faults, starts the nodes that it has stopped, and deletes its namespace; that goes on after this returns. */
    void leave() {
        endOwnFaults();
        live.store().deleteObject(Kinds.NAMESPACE, ObjectKey.cluster(namespace), DeleteOptions.DEFAULT);
    }

    /** The namespace in which clients work that name none. */
    public String namespace() {
        return namespace;
    }

    /** Where the API server listens, such as {@code http://127.0.0.1:41234}. */
    public String url() {
        return server.url();
    }

    /** A kubeconfig that leads here. */
    public String kubeconfig() {
        return server.kubeconfig(namespace);
    }

    /** What the world's clock shows. */
    public Instant now() {
        return live.clock().instant();
    }

    /**
     * Lets time pass at once, from one thing that is due to the next, in order. Nodes renew their leases meanwhile. After each step in which
     * an object changed, clients have a moment to react.
     *
     * @throws IllegalArgumentException if the duration is negative or longer than ten years
     */
    public void advance(Duration duration) {
        live.advance(duration);
    }

    /**
     * Waits until nothing was written for 100 ms, neither by the cluster nor by an operator. An operator that thinks for longer between
     * two requests is not waited for: {@link #eventually} does that.
     *
     * @throws IllegalStateException if that does not come to an end; the message says who writes what
     */
    public void settle() {
        live.settle();
    }

    /**
     * Waits until assertions hold: they are looked at whenever nothing was written for a moment. An operator may take a while, above all when
     * it is used for the first time in a JVM.
     *
     * @param assertions throws an {@link AssertionError}, or an exception, as long as they do not hold
     * @throws AssertionError if they do not hold after 60 seconds of the wall clock: the last one
     */
    public void eventually(Runnable assertions) {
        live.eventually(assertions);
    }

    /** Calls are refused: surely nothing is done, and it is said so. */
    public void fail(StorageCalls calls, Times times) {
        strike(calls, "refused", times);
    }

    /** Calls are not answered before their deadline, and nothing is done. */
    public void hang(StorageCalls calls, Times times) {
        strike(calls, "hang", times);
    }

    /** Calls are done, but the answer is that the outcome is not known. */
    public void uncertain(StorageCalls calls, Times times) {
        strike(calls, "uncertain-applied", times);
    }

    /**
     * Calls go wrong.
     *
     * @param outcome in the words of a scenario: {@code refused}, {@code hang}, {@code lie} and so on
     * @throws IllegalArgumentException if a name is not known; the message lists the names
     */
    public void strike(StorageCalls calls, String outcome, Times times) {
        List<CallFault.Outcome> outcomes = List.of(CallFault.Outcome.values());
        Vocabulary.require(
                "outcome",
                outcome,
                outcomes.stream().map(CallFault.Outcome::word).toList());
        calls.node().ifPresent(this::requireNode);
        CallsOfClass among = new CallsOfClass(
                live.store(), calls.storageClass(), shares ? Optional.of(namespace) : Optional.empty());
        calls.storageClass().ifPresent(name -> Vocabulary.require("storage class", name, among.classes()));
        String plugin = calls.driver().or(among::provisioner).orElseThrow();
        if (CallFault.STEPS.contains(calls.operation())
                && live.real().filter(real -> real.has(plugin)).isPresent()) {
            throw new IllegalArgumentException(
                    "'" + calls.operation() + "' is a step of simulated storage, and volumes of " + plugin
                            + " are real: let stage or publish go wrong");
        }
        AtomicBoolean over = faultsOver.get();
        live.declare(
                new CallFault(
                        plugin,
                        calls.operation(),
                        calls.node().orElse(""),
                        CallFault.Outcome.valueOf(
                                outcome.toUpperCase(Locale.ROOT).replace('-', '_')),
                        "",
                        times.count()),
                call -> !over.get() && among.test(call));
    }

    /**
     * The faults that were made here end, and nodes that were stopped here start. In the first world of a cluster everything ends that goes
     * wrong.
     */
    public void endFaults() {
        endOwnFaults();
        if (!shares) {
            live.endFaults();
        }
    }

    private void endOwnFaults() {
        faultsOver.getAndSet(new AtomicBoolean()).set(true);
        live.nodes().stream().filter(stopped::remove).forEach(live::startNode);
    }

    /**
     * A node dies at once, with everything that is mounted there. 50 seconds later its Node is Unknown, and five minutes after that its pods
     * are evicted.
     *
     * @throws IllegalArgumentException if there is no such node; the message lists the nodes
     */
    public void stopNode(String name) {
        requireNode(name);
        stopped.add(name);
        live.stopNode(name);
    }

    /**
     * A node that is down boots; the agent of a node that is up starts again.
     *
     * @throws IllegalArgumentException if there is no such node; the message lists the nodes
     */
    public void startNode(String name) {
        requireNode(name);
        stopped.remove(name);
        live.startNode(name);
    }

    private void requireNode(String name) {
        Vocabulary.require("node", name, live.nodes());
    }

    /**
     * Plays a step in the words of a scenario file, such as {@code {watch: [{process: controllers, outcome: hold}], settle: false}}. Clients
     * cannot react before its end.
     *
     * @param yaml one step, as YAML or JSON
     * @throws AssertionError if one of its expectations does not hold
     * @throws RuntimeException if it is no step, or asks for what cannot be; the message names the key
     */
    public void play(String yaml) {
        List<String> failures = live.play(KubernetesYaml.standard().read(yaml, "step"));
        if (!failures.isEmpty()) {
            throw new AssertionError(String.join("\n", failures));
        }
    }

    /**
     * Where a pod sees a volume: a directory of this machine, which a test may read and write. Of volumes whose plugin is named by {@link
     * Builder#plugins}.
     *
     * @param pod a pod of this namespace
     * @param volume its name in the pod
     * @throws IllegalArgumentException if there is no such pod or volume; the message lists the names
     * @throws IllegalStateException if the volume is simulated, or is not mounted now; the message says which
     */
    public Path pathOf(String pod, String volume) {
        List<Document> pods = live.store().listDocuments(Kinds.POD).orThrow().items().stream()
                .filter(each -> each.text("metadata", "namespace").orElse("").equals(namespace))
                .toList();
        Vocabulary.require(
                "pod",
                pod,
                pods.stream().map(each -> name(each, "metadata", "name")).toList());
        Document found = pods.stream()
                .filter(each -> name(each, "metadata", "name").equals(pod))
                .findFirst()
                .orElseThrow();
        Vocabulary.require(
                "volume of pod " + pod,
                volume,
                found.objects("spec", "volumes").stream()
                        .map(each -> name(each, "name"))
                        .toList());
        return live.real()
                .flatMap(real -> real.shown(name(found, "metadata", "uid"), volume))
                .orElseThrow(() -> new IllegalStateException("volume " + volume + " of pod " + pod
                        + " is simulated, or is not mounted now: " + explain("pod/" + pod)));
    }

    private static String name(Document object, String... path) {
        return object.text(path).orElse("");
    }

    /**
     * Why an object is in its state, and what it waits for.
     *
     * @param subject {@code KIND/NAME} or, in another namespace, {@code KIND/NAMESPACE/NAME}; the kind as kubectl takes it
     * @return lines of text
     * @throws IllegalArgumentException if there is no such kind or object; the message lists what there is
     */
    public String explain(String subject) {
        String[] parts = subject.split("/", -1);
        return parts.length == 3
                ? live.explanations().of(parts[0] + "/" + parts[2], parts[1])
                : live.explanations().of(subject, namespace);
    }

    /** The same of everything in the namespace, and beside namespaces, that waits; at most ten objects; empty if nothing waits. */
    public String explainWaiting() {
        return live.explanations().waiting(namespace);
    }

    /**
     * What there is now, as a scenario file for {@code mooring play}, or for another test to begin with: the nodes, volumes and classes, and
     * the objects of the namespace, with their status; without Secrets. Faults and what happened before are not in it.
     */
    public String asScenario() {
        return live.asScenario(namespace);
    }

    /** What went wrong in Mooring itself, a line each; empty unless it has a fault. */
    public List<String> defects() {
        List<String> all = new ArrayList<>(live.defects());
        live.failure().ifPresent(failure -> all.add("the world has ended: " + failure));
        return all;
    }

    /**
     * Ends the server and the cluster. Nothing is left of it: of real back-ends pods and claims are deleted before, then mounts and directories.
     *
     * @throws IllegalStateException if something real stays, such as what a call uses that does not end; the message says what
     */
    @Override
    public void close() {
        try {
            server.close();
        } finally {
            live.close();
        }
    }
}
