// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.MountChanges;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.DiscoverCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Offers what plugins find on the node as volumes (semantics/plugins §5.2): looks when it starts, when the node's labels or a storage
 * class change, when a volume of the plugin has gone and when something is mounted that is not the agent's, and creates the volumes that
 * are missing. A volume is only ever created here, never changed or deleted.
 */
public final class VolumeDiscovery extends NodeController {
    static final String NAME = "volume-discovery";

    private final PluginRegistry plugins;
    private final Map<PluginName, Long> changes = new TreeMap<>();

    public VolumeDiscovery(NodeConfig config, PluginRegistry plugins, MountChanges mounts) {
        super(config);
        this.plugins = plugins;
        plugins.all().stream()
                .filter(StoragePlugin::discovers)
                .forEach(plugin -> changes.put(plugin.describe().name(), 1L));
        mounts.listen(change -> {
            if (change.appeared().stream().anyMatch(path -> !path.startsWith(config.root()))) {
                lookAgain(List.copyOf(changes.keySet()), this::inputChanged);
            }
        });
    }

    private void lookAgain(List<PluginName> concerned, Consumer<Key> post) {
        concerned.forEach(plugin -> {
            changes.merge(plugin, 1L, Long::sum);
            post.accept(key(plugin));
        });
    }

    /** What stands for the volumes that a plugin finds. */
    static Key key(PluginName plugin) {
        return new Key("discover", ObjectKey.cluster(plugin.escaped()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.STORAGE_CLASS);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            changes.keySet().forEach(plugin -> mailbox.recheck(key(plugin))); // it may be one that seemed to be missing
        }
        lookAgain(
                changes.keySet().stream()
                        .filter(plugin -> concerns(change, plugin))
                        .toList(),
                mailbox::inputChanged);
    }

    private boolean concerns(ObjectChange<?> change, PluginName plugin) {
        if (change.concerns(Kinds.NODE)) {
            ObjectChange<Node> node = change.as(Kinds.NODE);
            return change.key().equals(nodeKey())
                    && change.origin() == Origin.WATCH
                    && !node.before()
                            .map(VolumeDiscovery::relevant)
                            .equals(node.after().map(VolumeDiscovery::relevant));
        }
        if (change.concerns(Kinds.STORAGE_CLASS)) {
            return change.after().isPresent();
        }
        return change.concerns(Kinds.PERSISTENT_VOLUME)
                && change.after().isEmpty()
                && change.origin() != Origin.RELEASED
                && change.as(Kinds.PERSISTENT_VOLUME)
                        .latest()
                        .spec()
                        .source()
                        .flatMap(plugins::serving)
                        .filter(serving -> serving.describe().name().equals(plugin))
                        .isPresent();
    }

    @Override
    public void missing(ObjectName object, Mailbox mailbox) {
        changes.keySet().forEach(plugin -> mailbox.recheck(key(plugin)));
    }

    /** Of what was found it has to be known whether there are volumes, and their classes. */
    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        Set<ObjectName> needed = new LinkedHashSet<>();
        for (FoundVolume volume : after.map(DiscoveryState.class::cast)
                .orElse(DiscoveryState.NONE)
                .found()) {
            needed.add(ObjectName.cluster(Kinds.PERSISTENT_VOLUME, volume.name()));
            needed.add(ObjectName.cluster(Kinds.STORAGE_CLASS, volume.className()));
        }
        mailbox.needs(key.toString(), needed);
    }

    private static Object relevant(Node node) {
        return List.of(node.metadata().uid(), node.metadata().labels());
    }

    private ObjectKey nodeKey() {
        return ObjectKey.cluster(config.node().name());
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        Optional<PluginName> plugin =
                changes.keySet().stream().filter(name -> key(name).equals(key)).findFirst();
        Optional<Node> node = situation
                .caches()
                .get(Kinds.NODE, nodeKey())
                .filter(found -> config.node().uid().isEmpty()
                        || found.metadata().uid().equals(config.node().uid()));
        if (plugin.isEmpty() || node.isEmpty()) {
            return Decision.nothing();
        }
        DiscoveryState known = learn(state.map(DiscoveryState.class::cast).orElse(DiscoveryState.NONE), situation);
        List<Effect> creations = creations(plugin.get(), known, situation.caches());
        long now = changes.getOrDefault(plugin.get(), 0L);
        Decision decision = !creations.isEmpty()
                ? held(known, creations, situation)
                : known.answered() == now
                        ? Decision.remember(known)
                        : held(known.lookingAt(now), List.of(look(plugin.get(), node.get())), situation);
        return decision.concerning(Concerned.node("VolumeDiscoveryFailed", config, situation.caches()));
    }

    private static DiscoveryState learn(DiscoveryState before, Situation situation) {
        DiscoveryState known = situation
                .resultOf(AgentOperations.DISCOVER)
                .flatMap(EffectResult::outcome)
                .flatMap(outcome -> outcome.result())
                .map(found -> before.found(volumes(found)))
                .orElse(before);
        return known.withMissing(known.missing().stream()
                .filter(volume -> situation
                        .caches()
                        .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume.name()))
                        .isEmpty())
                .filter(volume -> !isSettled(volume, situation))
                .toList());
    }

    private static List<FoundVolume> volumes(Object found) {
        return found instanceof List<?> list
                ? list.stream()
                        .filter(FoundVolume.class::isInstance)
                        .map(FoundVolume.class::cast)
                        .toList()
                : List.of();
    }

    /** A volume of that name exists, or the store will never have this one: the next look tells more. */
    private static boolean isSettled(FoundVolume volume, Situation situation) {
        return situation.results().stream()
                .filter(result -> result.effect() instanceof Effect.Create<?> create
                        && create.object().name().equals(volume.name()))
                .flatMap(result -> result.storeFailure().stream())
                .anyMatch(failure -> failure == Failure.ALREADY_EXISTS || failure == Failure.INVALID);
    }

    private Effect look(PluginName plugin, Node node) {
        return new Effect.Perform(
                AgentOperations.DISCOVER,
                new DiscoverCall(config.node(), plugin, node.metadata().labels()),
                Optional.of(new Target("discover", plugin.value())),
                Defaults.RECLAIM_TIME_LIMIT);
    }

    /** No claim would get a volume of a class that does not exist; the class's appearance asks for another look. */
    private static List<Effect> creations(PluginName plugin, DiscoveryState known, Caches caches) {
        List<Effect> creations = new ArrayList<>();
        for (FoundVolume volume : known.missing()) {
            if (!caches.knows(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume.name()))) {
                continue;
            }
            caches.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(volume.className()))
                    .map(storageClass -> new Effect.Create<>(
                            AgentOperations.CREATE_VOLUME,
                            Kinds.PERSISTENT_VOLUME,
                            volume(plugin, volume, storageClass)))
                    .ifPresent(creations::add);
        }
        return creations;
    }

    private static PersistentVolume volume(PluginName plugin, FoundVolume found, StorageClass storageClass) {
        Map<String, String> annotations = new TreeMap<>(found.template().annotations());
        annotations.put(Annotations.PROVISIONED_BY, plugin.value());
        return PersistentVolume.of(
                ObjectMeta.named(found.name()).withAnnotations(annotations),
                PersistentVolumeSpec.EMPTY
                        .withStorage(found.template().capacity())
                        .withAccessModes(found.template().accessModes())
                        .withPersistentVolumeReclaimPolicy(
                                storageClass.reclaimPolicy().orElse(ReclaimPolicy.DELETE))
                        .withStorageClassName(Optional.of(found.className()))
                        .withMountOptions(storageClass.mountOptions())
                        .withVolumeMode(Optional.of(found.mode()))
                        .withNodeAffinity(found.template().nodeAffinity())
                        .withSource(Optional.of(found.template().source())));
    }

    private static Decision held(DiscoveryState state, List<Effect> effects, Situation situation) {
        Optional<Duration> wait = effects.stream()
                .flatMap(effect -> situation.backoff(effect.operation()).stream())
                .max(Duration::compareTo);
        return wait.isPresent()
                ? Decision.remember(state).wakeAfter(wait.get())
                : new Decision(Optional.of(state), effects, Optional.empty());
    }
}
