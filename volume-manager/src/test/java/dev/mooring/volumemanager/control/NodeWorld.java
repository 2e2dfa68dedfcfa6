// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.Subscription;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordCall;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.AttachedVolume;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.volumemanager.Adoption;
import dev.mooring.volumemanager.MountChanges;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.NodeSignals;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.CleanPodsCall;
import dev.mooring.volumemanager.calls.CompleteCall;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import dev.mooring.volumemanager.calls.ProvisionOnNodeCall;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.StageCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import dev.mooring.volumemanager.calls.UnstageCall;
import dev.mooring.volumemanager.calls.VerifyCall;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A node's loop over a {@link TinyStore}, a log in memory and a pretended kernel, without threads. The process can die before or after
 * any effect; store, log and mounts survive it, a reboot takes the mounts.
 */
final class NodeWorld {
    final TinyStore store = new TinyStore();
    MemoryRecordLog log = new MemoryRecordLog();

    /** What the next process finds mounted without a record. */
    Adoption.Result found = Adoption.Result.NOTHING;

    final Map<Path, PluginState> mounts = new TreeMap<>();
    final Map<Path, VolumeId> mounted = new TreeMap<>();
    final Set<VolumeId> staged = new HashSet<>();
    final Map<VolumeId, Map<String, String>> attachedSeen = new HashMap<>();
    final List<String> calls = new ArrayList<>();
    final List<String> violations = new ArrayList<>();
    final List<Announcement> events = new ArrayList<>();
    /** What back-ends answer instead of doing it; asked before every call. */
    Function<Call, Optional<Outcome<?>>> faults = call -> Optional.empty();
    /** What happens on the machine when it has been looked whether something is mounted, before the answer is heard. */
    Consumer<RecordEntry> afterVerify = looked -> {};
    /** Who carries out the calls instead of the pretended kernel. */
    Optional<CallHandler> handler = Optional.empty();
    /** What the store answers instead of doing it. */
    Function<Effect, Optional<StoreResult<?>>> storeFaults = effect -> Optional.empty();
    /** After how many effects the process dies; the effect with that number is done or not. */
    int dieAt = -1;

    boolean dieAfter;
    /** Whether the machine dies with the process. */
    boolean diesWithTheMachine;

    int effects;
    int decisions;

    /** Of which kinds the store shows nothing. */
    final Set<Kind<?>> withheld = new HashSet<>();

    /** Where this process hears of mounts, and that its machine is shut down. */
    NodeSignals signals = new NodeSignals();

    final PluginRegistry plugins;
    NodeConfig config;
    private long nanos;
    private Deque<Dispatch> pending = new ArrayDeque<>();
    private final Defects defects = new Defects();
    private ControlLoop loop;
    private Map<Subscription<?>, Revision> shown = new LinkedHashMap<>();

    NodeWorld(StoragePlugin plugin) {
        this(plugin, SmallCluster.CONFIG);
    }

    NodeWorld(StoragePlugin plugin, NodeConfig nodeConfig) {
        this(List.of(plugin), nodeConfig);
    }

    NodeWorld(List<StoragePlugin> all, NodeConfig nodeConfig) {
        config = nodeConfig;
        plugins = new PluginRegistry(all);
        loop = newLoop();
    }

    static NodeWorld withNode() {
        NodeWorld world = new NodeWorld(List.of(new FakePlugin(), new FakePlugin.Disks()), SmallCluster.CONFIG);
        world.store.put(Kinds.NODE, SmallCluster.node());
        return world;
    }

    /** A world with a node whose volumes have to be attached and prepared. */
    static NodeWorld withDevices() {
        return withDevices(SmallCluster.CONFIG);
    }

    static NodeWorld withDevices(NodeConfig config) {
        NodeWorld world = new NodeWorld(new FakePlugin.Staged(), config);
        world.store.put(Kinds.NODE, SmallCluster.node());
        return world;
    }

    Node node() {
        return store.get(Kinds.NODE, ObjectKey.cluster(config.node().name())).orElseThrow();
    }

    /** What a controller writes once a volume is attached, in its order: attachment, then the Node. */
    void attach(String backend) {
        store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(backend, true));
        setAttached(List.of(new AttachedVolume(FakePlugin.NAME + "/" + backend, "")));
    }

    void setAttached(List<AttachedVolume> attached) {
        Node node = node();
        store.put(Kinds.NODE, node.withStatus(node.status().withVolumesAttached(attached)));
    }

    private ControlLoop newLoop() {
        Map<Subscription<?>, Revision> fresh = new LinkedHashMap<>();
        shown = fresh;
        signals = new NodeSignals();
        pending = new ArrayDeque<>();
        Deque<Dispatch> mine = pending;
        List<Controller> controllers = VolumeManager.controllers(config, plugins, log.replay(), signals, found);
        ControlLoop made =
                new ControlLoop(controllers, this::time, new Random(1), defects, dispatch -> take(dispatch, mine));
        made.subscribe(new Subscription.Listener() {
            @Override
            public void begin(Subscription<?> subscription) {
                fresh.put(subscription, Revision.ZERO);
            }

            @Override
            public void end(Subscription<?> subscription) {
                fresh.remove(subscription);
            }
        });
        return made;
    }

    Time time() {
        return new Time(Instant.EPOCH.plusNanos(nanos), nanos);
    }

    private void take(Dispatch dispatch, Deque<Dispatch> mine) {
        if (dispatch.effect() instanceof Effect.Announce announce) {
            events.add(announce.announcement());
        } else {
            mine.add(dispatch);
        }
    }

    /** The process dies; a new one starts with nothing but log and store. */
    void restart() {
        loop = newLoop();
    }

    /** The machine dies: mounts go, the boot id changes. */
    void reboot() {
        mounts.clear();
        mounted.clear();
        staged.clear();
        config = new NodeConfig(config.node(), config.bootId() + "'", config.root(), true, true);
        restart();
    }

    /** Lets the node see the store and work until only timers are left; fires those of the next so many seconds. */
    void run(int seconds) {
        long until = nanos + seconds * 1_000_000_000L;
        for (int i = 0; i < 100_000; i++) {
            show();
            defects.requireNone();
            if (loop.decideNext()) {
                decisions++;
                continue;
            }
            if (!pending.isEmpty()) {
                carryOut(pending.remove());
                continue;
            }
            OptionalLong next = loop.nextTimerNanos();
            if (next.isEmpty() || next.getAsLong() > until) {
                nanos = until;
                return;
            }
            nanos = Math.max(nanos, next.getAsLong());
            loop.fireTimers();
        }
        throw new AssertionError("no rest; last calls: " + calls.subList(Math.max(0, calls.size() - 10), calls.size()));
    }

    void run() {
        run(600);
    }

    private void show() {
        if (loop.leadingEpoch() == 0) {
            loop.lead(1);
        }
        // what is shown may make the loop need more
        for (boolean anything = true; anything; ) {
            anything = false;
            for (Subscription<?> each : List.copyOf(shown.keySet())) {
                boolean old = shown.containsKey(each)
                        && !withheld.contains(each.kind())
                        && !store.revision().equals(shown.get(each));
                if (old) {
                    shown.put(each, store.revision());
                    show(each);
                }
                anything |= old;
            }
        }
    }

    /** What the process follows: the kinds, and what is selected of them. */
    Set<String> followed() {
        Set<String> all = new TreeSet<>();
        for (Subscription<?> each : shown.keySet()) {
            ListOptions options = each.options();
            String labels = options.labels()
                    .map(selector -> selector.matchLabels().toString())
                    .orElse("");
            all.add(each.kind().name() + " " + options.namespace() + " " + options.fields() + labels);
        }
        return all;
    }

    private <T extends KubernetesObject> void show(Subscription<T> subscription) {
        ListOptions options = subscription.options();
        List<T> selected = store.all(subscription.kind()).stream()
                .filter(object -> isSelected(object, options))
                .toList();
        subscription.listed(selected, store.revision());
    }

    private static boolean isSelected(KubernetesObject object, ListOptions options) {
        boolean labelled = options.labels()
                .map(labels -> labels.matches(object.metadata().labels()))
                .orElse(true);
        boolean inNamespace = options.namespace().isEmpty()
                || options.namespace().equals(object.metadata().namespace());
        String[] field = options.fields().split("=", 2);
        return labelled
                && inNamespace
                && switch (field[0]) {
                    case "" -> true;
                    case "metadata.name" -> object.metadata().name().equals(field[1]);
                    case "spec.nodeName" -> ((Pod) object).spec().nodeName().equals(field[1]);
                    default -> throw new AssertionError("no such selector here: " + options.fields());
                };
    }

    private void carryOut(Dispatch dispatch) {
        boolean dies = effects++ == dieAt;
        if (dies && !dieAfter) {
            die();
            return;
        }
        EffectResult result = answer(dispatch.effect());
        if (dies) {
            die();
        } else {
            loop.completed(dispatch, result, true);
        }
    }

    private void die() {
        if (diesWithTheMachine) {
            reboot();
        } else {
            restart();
        }
    }

    private EffectResult answer(Effect effect) {
        if (effect instanceof Effect.Perform perform) {
            return new EffectResult.Performed(effect, perform(perform.call()));
        }
        StoreResult<?> result = storeFaults.apply(effect).orElse(null);
        return new EffectResult.Stored(effect, result == null ? store.carryOut(effect) : result);
    }

    private Outcome<?> perform(Call call) {
        if (call instanceof RecordCall append) {
            Optional<Outcome<?>> fault = faults.apply(call);
            return fault.isPresent() ? fault.get() : append.appendTo(log);
        }
        if (call instanceof VerifyCall verify && handler.isEmpty()) {
            boolean found = verify.record()
                    .<Boolean>match(
                            publish -> mounts.containsKey(publish.target()),
                            stage -> staged.contains(stage.volumeId()));
            afterVerify.accept(verify.record());
            return Outcome.done(found);
        } else if (call instanceof CleanPodsCall && handler.isEmpty()) {
            return Outcome.done(CleanPodsCall.Answer.CLEAN);
        }
        if (!(call instanceof VerifyCall)) {
            calls.add(call.operation() + " " + call.volume());
        }
        Optional<Outcome<?>> fault = faults.apply(call);
        if (fault.isPresent()) {
            return fault.get();
        }
        if (handler.isPresent()) {
            Instant now = time().wall();
            return handler.get()
                    .perform(
                            call,
                            new UncancelledTicket(
                                    InstantSource.fixed(now), now.plusSeconds(60), 1, "test", notice -> {}));
        }
        if (call instanceof StageCall stage) {
            return stage(stage);
        } else if (call instanceof CompleteCall complete) {
            return complete(complete);
        } else if (call instanceof UnstageCall unstage) {
            return unstage(unstage);
        } else if (call instanceof PublishCall publish) {
            return publish(publish);
        } else if (call instanceof UnpublishCall unpublish) {
            return unpublish(unpublish);
        } else if (call instanceof ExpandOnNodeCall expand) {
            return Outcome.done(expand.wanted());
        } else if (call instanceof ProvisionOnNodeCall provision) {
            return Outcome.done(provision.plan());
        }
        return Outcome.done();
    }

    Outcome<?> stage(StageCall call) {
        VolumeId volume = call.record().volumeId();
        if (standing().stream()
                .noneMatch(entry -> entry.key().equals(call.record().key()))) {
            violations.add("staged without an intent: " + volume);
        }
        if (mounted.containsValue(volume)) {
            violations.add("staged while a pod has it (S10): " + volume);
        }
        call.record().reportedName().ifPresent(name -> requireHandshake(name, volume));
        attachedSeen.put(volume, call.attached());
        staged.add(volume);
        return Outcome.done(new PluginState(1, "staged " + call.volume()));
    }

    private Outcome<?> complete(CompleteCall call) {
        VolumeId volume = call.record().volumeId();
        if (!staged.contains(volume)) {
            violations.add("completed but not staged: " + volume);
        }
        call.record().reportedName().ifPresent(name -> requireHandshake(name, volume));
        return Outcome.done(new PluginState(1, "completed " + call.volume()));
    }

    /** S4 and S5, judged at the store: reported in use, attached, and the attachment stands. */
    private void requireHandshake(String name, VolumeId volume) {
        boolean allowed = store.get(Kinds.NODE, ObjectKey.cluster(config.node().name()))
                .filter(node -> node.metadata().uid().equals(config.node().uid()))
                .map(Node::status)
                .filter(status -> status.volumesInUse().contains(name)
                        && status.volumesAttached().stream()
                                .anyMatch(attached -> attached.name().equals(name)))
                .isPresent();
        if (!allowed) {
            violations.add("used without the handshake (S4): " + volume);
        }
    }

    private Outcome<?> unstage(UnstageCall call) {
        VolumeId volume = call.record().volumeId();
        if (mounted.containsValue(volume)
                || standing().stream()
                        .anyMatch(entry ->
                                entry.match(publish -> publish.volumeId().equals(volume), stage -> false))) {
            violations.add("unstaged while a pod may have it (S8): " + volume);
        }
        call.record().reportedName().ifPresent(name -> {
            boolean reported = store.get(
                            Kinds.NODE, ObjectKey.cluster(config.node().name()))
                    .filter(node -> !node.status().volumesInUse().contains(name))
                    .isEmpty();
            if (!reported) {
                violations.add("not reported in use before it is unstaged (S5): " + volume);
            }
        });
        staged.remove(volume);
        return Outcome.done();
    }

    Outcome<?> publish(PublishCall call) {
        Path target = call.request().target();
        VolumeId volume = call.record().volumeId();
        if (call.request().stagingPath().isPresent() && !staged.contains(volume)) {
            violations.add("published before it was staged: " + target);
        }
        boolean intended = standing().stream()
                .anyMatch(entry -> entry.match(publish -> publish.target().equals(target), stage -> false));
        if (!intended) {
            violations.add("published without an intent: " + target);
        }
        if (mounts.containsKey(target) && call.request().occasion() == Occasion.INITIAL) {
            violations.add("mounted twice: " + target);
        }
        PluginState state = new PluginState(1, call.volume());
        mounts.put(target, state);
        mounted.put(target, volume);
        return Outcome.done(state);
    }

    private Outcome<?> unpublish(UnpublishCall call) {
        mounts.remove(call.record().target());
        mounted.remove(call.record().target());
        return Outcome.done();
    }

    /** Another program unmounts something, and the kernel says so. */
    void unmountedByAnother(Path target) {
        mounts.remove(target);
        mounted.remove(target);
        signals.mounts().changed(new MountChanges.Change(Set.of(), Set.of(target)));
    }

    /** What the log says may be mounted. */
    List<RecordEntry> standing() {
        return List.copyOf(RecordLog.standing(log.replay()).values());
    }

    List<String> eventReasons() {
        return events.stream()
                .map(event -> event.reason() + ": " + event.message())
                .toList();
    }

    /** What controllers threw. The loop goes on though a listener throws, so the test throws it later. */
    private static final class Defects implements LoopListener {
        private final List<AssertionError> thrown = new ArrayList<>();

        @Override
        public void onDefect(String controller, Key key, RuntimeException defect) {
            thrown.add(new AssertionError(controller + " threw for " + key, defect));
        }

        void requireNone() {
            if (!thrown.isEmpty()) {
                throw thrown.get(0);
            }
        }
    }
}
