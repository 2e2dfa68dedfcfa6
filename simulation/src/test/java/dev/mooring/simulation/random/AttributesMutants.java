// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Planted bugs of classes of attributes. */
final class AttributesMutants {
    private static final String MODIFICATION = "volume-modification";

    private AttributesMutants() {}

    static List<Mutant> modifying() {
        return List.of(
                Mutant.uncertainIsDone(MODIFICATION, "modify", Nothing.NOTHING),
                Mutant.refusedIsDone(MODIFICATION, "modify"),
                Mutant.edited(
                        MODIFICATION, "shows the class before it is given", "mark-modify", AttributesMutants::shown),
                Mutant.effect(
                        MODIFICATION, "modifies without writing it down", "mark-modify", AttributesMutants::unwritten),
                Mutant.skipped(MODIFICATION, "mark-modify"),
                Mutant.mistaken(MODIFICATION, "gives a class of another driver", "", AttributesMutants::ofDriver),
                Mutant.effect("binder", "provisions without attributes", "provision", AttributesMutants::plain),
                Mutant.fromCache("vac-protection", "list-claims"),
                Mutant.skipped("vac-protection", "release"));
    }

    private static List<Effect> unwritten(Effect effect, Situation situation) {
        if (!(effect instanceof Effect.UpdateStatus<?> update
                && update.change().edited() instanceof PersistentVolumeClaim claim)) {
            return List.of(effect);
        }
        ObjectKey volume = ObjectKey.cluster(claim.spec().volumeName());
        Optional<VolumeSpec> spec =
                situation.caches().get(Kinds.PERSISTENT_VOLUME, volume).flatMap(VolumeSpec::of);
        return claim.status()
                .modifyVolumeStatus()
                .flatMap(under -> situation
                        .caches()
                        .get(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(under.targetVolumeAttributesClassName())))
                .filter(attributes -> spec.isPresent())
                .map(attributes -> new ModifyCall(new PluginName(Texts.SIM), spec.get(), attributes.parameters()))
                .<Effect>map(call -> new Effect.Perform("planted", call, Optional.empty(), Duration.ofMinutes(1)))
                .map(List::of)
                .orElse(List.of(effect));
    }

    private static KubernetesObject ofDriver(KubernetesObject object) {
        return object instanceof VolumeAttributesClass attributes
                ? new VolumeAttributesClass(attributes.metadata(), Texts.SIM, attributes.parameters())
                : object;
    }

    private static List<Effect> plain(Effect effect, Situation situation) {
        if (!(effect instanceof Effect.Perform perform && perform.call() instanceof ProvisionCall call)) {
            return List.of(effect);
        }
        ProvisionRequest asked = call.request();
        Optional<StorageClass> storageClass =
                situation.caches().get(Kinds.STORAGE_CLASS, ObjectKey.cluster(asked.className()));
        return situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME_CLAIM, asked.claim())
                .filter(claim -> storageClass.isPresent())
                .map(claim -> ProvisionRequests.of(
                        claim, storageClass.get(), Map.of(), asked.volumeName(), asked.selectedNode()))
                .<Effect>map(request -> new Effect.Perform(
                        effect.operation(),
                        new ProvisionCall(call.plugin(), request, call.plan()),
                        perform.target(),
                        perform.timeLimit()))
                .map(List::of)
                .orElse(List.of(effect));
    }

    private static KubernetesObject shown(KubernetesObject object) {
        if (!(object instanceof PersistentVolumeClaim claim)) {
            return object;
        }
        PersistentVolumeClaimStatus status = claim.status();
        Optional<String> target = status.modifyVolumeStatus().map(under -> under.targetVolumeAttributesClassName());
        return target.isEmpty() ? object : claim.withStatus(status.withCurrentVolumeAttributesClassName(target));
    }
}
