// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.reclaim;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Target;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.calls.ProvisionOnNodeCall;
import dev.mooring.volumemanager.control.AgentOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Make the storage that the binder has planned for a claim (semantics/binder §1.10). */
final class ProvisionWork implements NodeWork {
    private final NodeConfig config;
    private final PluginRegistry plugins;

    ProvisionWork(NodeConfig config, PluginRegistry plugins) {
        this.config = config;
        this.plugins = plugins;
    }

    @Override
    public String intentKey() {
        return NodeIntent.PROVISIONING;
    }

    @Override
    public String nodeKey() {
        return NodeIntent.PROVISION_ON;
    }

    @Override
    public String resultKey() {
        return NodeIntent.PROVISION_RESULT;
    }

    @Override
    public List<Effect> proofs(PersistentVolume volume) {
        List<Effect> reads = new ArrayList<>();
        reads.add(new Effect.Read<>(AgentOperations.CHECK_VOLUME, Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume)));
        claimKey(volume)
                .ifPresent(claim -> reads.add(
                        new Effect.Read<>(AgentOperations.CHECK_CLAIM, Kinds.PERSISTENT_VOLUME_CLAIM, claim)));
        classKey(volume)
                .ifPresent(
                        name -> reads.add(new Effect.Read<>(AgentOperations.CHECK_CLASS, Kinds.STORAGE_CLASS, name)));
        attributesClass(volume)
                .map(ObjectKey::cluster)
                .ifPresent(name -> reads.add(
                        new Effect.Read<>(AgentOperations.CHECK_ATTRIBUTES, Kinds.VOLUME_ATTRIBUTES_CLASS, name)));
        return reads;
    }

    private static Optional<String> attributesClass(PersistentVolume volume) {
        return volume.spec().volumeAttributesClassName().filter(name -> !name.isEmpty());
    }

    private static Optional<ObjectKey> claimKey(PersistentVolume volume) {
        return volume.spec().claimRef().map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
    }

    private static Optional<ObjectKey> classKey(PersistentVolume volume) {
        return StorageClasses.nameOf(volume).filter(name -> !name.isEmpty()).map(ObjectKey::cluster);
    }

    @Override
    public Outcome<Effect.Perform> check(PersistentVolume volume, String claimUid, Caches caches) {
        Optional<PersistentVolumeClaim> claim = claimKey(volume)
                .flatMap(key -> caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key))
                .filter(found -> found.metadata().uid().equals(claimUid));
        if (claim.isEmpty()) {
            return Outcome.refused(Refusal.NOT_FOUND, "the claim that the volume was planned for was deleted");
        }
        Optional<StorageClass> storageClass = classKey(volume).flatMap(key -> caches.get(Kinds.STORAGE_CLASS, key));
        if (storageClass.isEmpty()) {
            return Outcome.refused(
                    Refusal.NOT_FOUND,
                    "storageclass.storage.k8s.io \""
                            + StorageClasses.nameOf(volume).orElse("") + "\" not found");
        }
        Optional<StoragePlugin> plugin = plugins.named(storageClass.get().provisioner());
        Optional<Provisioning> provisioning = plugin.flatMap(found -> found.capability(Provisioning.class));
        if (plugin.isEmpty() || provisioning.isEmpty()) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED,
                    "node " + config.node().name() + " has no plugin "
                            + storageClass.get().provisioner() + " that can provision");
        }
        PluginName name = plugin.get().describe().name();
        return attributes(volume, claim.get(), plugin.get(), caches)
                .map(wanted -> request(volume, claim.get(), storageClass.get(), wanted, caches))
                .then(request -> ContentSources.wanted(claim.get(), plugin.get(), true, caches)
                        .map(request::withContent))
                .then(request -> provisioning.get().plan(request).then(plan -> callFor(name, volume, request, plan)));
    }

    /** What the volume shows it has to have, so that a volume that was edited meanwhile is not made. */
    private static Outcome<Map<String, String>> attributes(
            PersistentVolume volume, PersistentVolumeClaim claim, StoragePlugin plugin, Caches caches) {
        Optional<String> named = AttributesClasses.nameOf(claim);
        return named.equals(attributesClass(volume))
                ? AttributesClasses.wanted(claim, plugin, caches)
                : Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "the volume shows the VAC \"" + attributesClass(volume).orElse("")
                                + "\", and its claim names \"" + named.orElse("") + "\"");
    }

    private ProvisionRequest request(
            PersistentVolume volume,
            PersistentVolumeClaim claim,
            StorageClass storageClass,
            Map<String, String> attributes,
            Caches caches) {
        return ProvisionRequests.of(
                        claim, storageClass, attributes, volume.metadata().name(), Optional.of(config.node()))
                .withNodeLabels(
                        caches.get(Kinds.NODE, ObjectKey.cluster(config.node().name()))
                                .map(node -> node.metadata().labels())
                                .orElse(Map.of()));
    }

    private Outcome<Effect.Perform> callFor(
            PluginName plugin, PersistentVolume volume, ProvisionRequest request, VolumeTemplate plan) {
        boolean asPlanned = volume.spec()
                .source()
                .filter(source -> isSame(source, plan.source()))
                .isPresent();
        if (!asPlanned) {
            // The class or the node's plugin is not what the binder planned with; the storage would not be
            // the volume's.
            return Outcome.refused(
                    Refusal.INCOMPATIBLE, "the volume's source is not what " + plugin + " plans for the claim now");
        }
        return Outcome.done(new Effect.Perform(
                AgentOperations.PERFORM,
                new ProvisionOnNodeCall(config.node(), plugin, request, plan),
                Optional.of(new Target(plugin.value(), request.volumeName())),
                Defaults.RECLAIM_TIME_LIMIT));
    }

    /** The store has filled in what the plugin left out. */
    static boolean isSame(VolumeSource stored, VolumeSource planned) {
        return stored.withDefaults().equals(planned.withDefaults());
    }

    @Override
    public Outcome<?> judge(PersistentVolume volume, Outcome<?> outcome) {
        boolean elsewhere = outcome.result()
                .filter(VolumeTemplate.class::isInstance)
                .map(VolumeTemplate.class::cast)
                .filter(made -> volume.spec()
                        .source()
                        .filter(source -> isSame(source, made.source()))
                        .isEmpty())
                .isPresent();
        // The source of a volume cannot be changed, and a pod would be shown something that was not made
        // for it.
        return elsewhere
                ? Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "node " + config.node().name()
                                + " made the storage at another place than the volume says: its plugin is set up differently")
                : outcome;
    }
}
