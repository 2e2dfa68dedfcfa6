// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.ObjectName;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.NodeSignals;
import dev.mooring.volumemanager.ShutdownSignal;
import dev.mooring.volumemanager.wanted.DesiredVolume;
import dev.mooring.volumemanager.wanted.Relevance;
import dev.mooring.volumemanager.wanted.Resolution;
import dev.mooring.volumemanager.wanted.Resolver;
import dev.mooring.volumemanager.wanted.Usage;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Publishes what the pods of this node need and takes it away when they are gone. One key per volume of a pod, named by the pod's uid;
 * what is done about one is the matter of {@link PodVolumeDecider}.
 */
public final class PodVolumes extends NodeController {
    private static final String TYPE = "pod-volume";

    private final PluginRegistry plugins;
    private final Resolver resolver;
    private final PodVolumeDecider decider;
    private final NodeRecords records;
    private final VolumeNeeds needs;
    private final ShutdownSignal shutdown;
    private final Map<String, ObjectKey> podsByUid = new TreeMap<>();
    private final Map<ObjectKey, Set<Key>> keysByClaim = new TreeMap<>();
    private final Set<Key> neededKeys = new TreeSet<>();
    private final Set<Key> suspects = new TreeSet<>();

    public PodVolumes(
            NodeConfig config,
            PluginRegistry plugins,
            NodeRecords records,
            VolumeNeeds needs,
            InUseReport report,
            NodeSignals signals) {
        super(config);
        this.plugins = plugins;
        this.resolver = new Resolver(config, plugins);
        this.decider = new PodVolumeDecider(config, plugins, records, report);
        this.records = records;
        this.needs = needs;
        this.shutdown = signals.shutdown();
        // a volume may wait for an object that was missing
        signals.content()
                .listen(podUid -> records.of(podUid).forEach(record -> inputChanged(key(podUid, record.podVolume()))));
        signals.mounts()
                .listen(change -> change.gone()
                        .forEach(path -> records.publishedAt(path)
                                .filter(record -> record.phase() != RecordPhase.UNDO)
                                .ifPresent(record -> suspect(key(record.pod().uid(), record.podVolume())))));
        shutdown.listen(() -> known().forEach(this::recheck));
        signals.drivers().listen(() -> known().forEach(this::inputChanged));
        records.onStage(stage -> needs.keys(stage.volumeId()).forEach(this::recheck));
        records.onPublish(record -> needs.keysOfSinglePod(record.volumeId()).forEach(this::recheck));
    }

    /** What is needed, and what is recorded whether or not it is needed still. */
    private Set<Key> known() {
        Set<Key> all = new TreeSet<>(neededKeys);
        records.all().forEach(record -> all.add(key(record.pod().uid(), record.podVolume())));
        return all;
    }

    /** What was mounted there seems to have gone; it is looked for as after a restart. */
    private void suspect(Key key) {
        suspects.add(key);
        recheck(key);
    }

    static Key key(String podUid, String podVolume) {
        return new Key(TYPE, ObjectKey.of(podUid, podVolume));
    }

    @Override
    public String name() {
        return "pod-volumes";
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.CSI_DRIVER, Kinds.NODE, Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD);
    }

    /** Records of an earlier process may be about pods that no object will ever name again. */
    @Override
    public void started(Mailbox mailbox) {
        super.started(mailbox);
        for (Publish record : List.copyOf(records.all())) {
            mailbox.recheck(key(record.pod().uid(), record.podVolume()));
        }
    }

    // ---- what wakes which key ----

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        if (change.concerns(Kinds.POD)) {
            observePod(change.as(Kinds.POD), mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            post(
                    keysByClaim.getOrDefault(change.key(), Set.of()),
                    Relevance.ofClaim(change.as(Kinds.PERSISTENT_VOLUME_CLAIM)),
                    mailbox);
        } else if (change.concerns(Kinds.PERSISTENT_VOLUME)) {
            ObjectChange<PersistentVolume> volume = change.as(Kinds.PERSISTENT_VOLUME);
            volume.latest()
                    .spec()
                    .claimRef()
                    .map(ref -> ObjectKey.of(ref.namespace(), ref.name()))
                    .ifPresent(claim ->
                            post(keysByClaim.getOrDefault(claim, Set.of()), Relevance.ofVolume(volume), mailbox));
        } else if (change.concerns(Kinds.CSI_DRIVER)) {
            post(neededKeys, Relevance.ofDriver(change.as(Kinds.CSI_DRIVER)), mailbox);
        } else if (change.concerns(Kinds.NODE)
                && change.key().name().equals(config.node().name())) {
            observeNode(change.as(Kinds.NODE), mailbox);
        }
    }

    /** It waits for another reason than before, or goes on without a driver's object. */
    @Override
    public void missing(ObjectName object, Mailbox mailbox) {
        Set<Key> waiting = object.kind().equals(Kinds.PERSISTENT_VOLUME_CLAIM)
                ? keysByClaim.getOrDefault(object.key(), Set.of())
                : neededKeys;
        waiting.forEach(mailbox::recheck);
    }

    private void observePod(ObjectChange<Pod> change, Mailbox mailbox) {
        Pod pod = change.latest();
        String uid = pod.metadata().uid();
        Set<Key> keys = new TreeSet<>();
        records.of(uid).forEach(record -> keys.add(key(uid, record.podVolume())));
        if (isHere(pod)) {
            for (WantedVolume volume : WantedVolume.of(pod, plugins)) {
                Key key = key(uid, volume.name());
                keys.add(key);
                if (change.after().isPresent()) {
                    neededKeys.add(key);
                } else {
                    neededKeys.remove(key);
                }
                volume.claim()
                        .ifPresent(claim -> index(claim, key, change.after().isPresent()));
            }
            if (change.after().isPresent()) {
                podsByUid.put(uid, change.key());
            } else {
                podsByUid.remove(uid);
            }
        }
        post(keys, Relevance.ofPod(change), mailbox);
    }

    private void index(ObjectKey claim, Key key, boolean present) {
        if (present) {
            keysByClaim.computeIfAbsent(claim, c -> new TreeSet<>()).add(key);
            return;
        }
        Set<Key> keys = keysByClaim.getOrDefault(claim, Set.of());
        keys.remove(key);
        if (keys.isEmpty()) {
            keysByClaim.remove(claim);
        }
    }

    private void observeNode(ObjectChange<Node> change, Mailbox mailbox) {
        post(neededKeys, Relevance.ofNode(change), mailbox);
        for (String name : NodeVolumes.changed(change)) {
            post(
                    needs.keysReporting(name),
                    change.origin() == Origin.WATCH ? Relevance.RELEVANT : Relevance.ECHO,
                    mailbox);
        }
    }

    private static void post(Collection<Key> keys, Relevance relevance, Mailbox mailbox) {
        for (Key key : relevance == Relevance.NONE ? List.<Key>of() : keys) {
            if (relevance == Relevance.RELEVANT) {
                mailbox.inputChanged(key);
            } else {
                mailbox.recheck(key);
            }
        }
    }

    private boolean isHere(Pod pod) {
        return pod.spec().nodeName().equals(config.node().name());
    }

    // ---- deciding ----

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        String podUid = key.object().namespace();
        String podVolume = key.object().name();
        PodVolumeState before = state.map(PodVolumeState.class::cast)
                .orElseGet(() -> PodVolumeState.of(
                        records.of(podUid, podVolume).flatMap(standing -> records.replayed(podUid, podVolume))));
        return decider.decide(podUid, before, suspects.contains(key), want(podUid, podVolume, situation), situation);
    }

    private DesiredVolume want(String podUid, String podVolume, Situation situation) {
        Optional<Pod> pod = records.of(podUid, podVolume)
                .map(record ->
                        ObjectKey.of(record.pod().namespace(), record.pod().name()))
                .or(() -> Optional.ofNullable(podsByUid.get(podUid)))
                .flatMap(name -> situation.caches().get(Kinds.POD, name))
                .filter(found -> found.metadata().uid().equals(podUid));
        if (pod.filter(found -> !found.spec().nodeName().isEmpty()).isEmpty()) {
            // What was shown here and now seems to have no node is seen as it was before it got one.
            return DesiredVolume.UNKNOWN;
        }
        if (!isHere(pod.get()) || pod.get().hasEnded()) {
            // The object itself says so, and neither a deletion nor an end is ever taken back.
            return DesiredVolume.NOT;
        }
        if (shutdown.hasBegun() && !mayBeUsed(pod.get())) {
            // Whatever the pod wants of this machine, its next boot gives it.
            return DesiredVolume.LATER;
        }
        boolean begun = records.of(podUid, podVolume).isPresent();
        return WantedVolume.of(pod.get(), plugins).stream()
                .filter(volume -> volume.name().equals(podVolume))
                .findFirst()
                .<DesiredVolume>map(volume -> new DesiredVolume.Needed(
                        pod.get(), volume, resolver.resolve(pod.get(), volume, begun, situation.caches())))
                .orElseGet(() -> unused(pod.get(), podVolume));
    }

    /** Containers that another program runs may use what they have been shown. */
    private boolean mayBeUsed(Pod pod) {
        return !config.podLifecycle() && pod.status().mayRun();
    }

    /** A volume that was published for a pod that lives stays, even if its containers seem not to use it. */
    private static DesiredVolume unused(Pod pod, String podVolume) {
        WantedVolume volume =
                new WantedVolume(podVolume, Optional.empty(), Optional.empty(), false, true, Usage.UNKNOWN);
        return new DesiredVolume.Needed(pod, volume, new Resolution.Waiting("no container uses it"));
    }

    @Override
    public void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {
        suspects.remove(key);
        Optional<PodVolumeState> now = after.map(PodVolumeState.class::cast);
        records.learn(key.object().namespace(), key.object().name(), now.flatMap(PodVolumeState::standing));
        needs.learn(
                key,
                before.map(PodVolumeState.class::cast).flatMap(PodVolumeState::need),
                now.flatMap(PodVolumeState::need));
    }
}
