// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.ObjectReferenceBuilder;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.ProvisionRequestBuilder;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The storage that an external provisioner makes for one claim (X1–X5). */
final class OutsideStorage {
    private static final String PROVISION = "provision";
    private static final String CREATE = "create-volume";
    private static final String PREFIX = "pvc-";
    private static final Duration MISSING = Duration.ofSeconds(30);

    private final Set<String> drivers;
    private final String uid;
    private final Situation situation;

    OutsideStorage(Set<String> drivers, String uid, Situation situation) {
        this.drivers = drivers;
        this.uid = uid;
        this.situation = situation;
    }

    Decision decide(Optional<KeyState> state) {
        Optional<PersistentVolumeClaim> claim = situation.caches().of(Kinds.PERSISTENT_VOLUME_CLAIM).all().stream()
                .filter(each -> each.metadata().uid().equals(uid))
                .findFirst();
        Optional<Making> begun = state.map(Making.class::cast);
        if (situation
                .caches()
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name()))
                .isPresent()) {
            return Decision.nothing(); // X2
        }
        if (begun.filter(making -> making.asked).isEmpty()
                && claim.filter(this::asks).isEmpty()) {
            return Decision.nothing(); // X1
        }
        Optional<StorageClass> storageClass = claim.flatMap(this::classOf);
        if (begun.isEmpty() && storageClass.isEmpty()) {
            return Decision.nothing().wakeAfter(MISSING); // as it asks the API server for the class, and again later
        }
        Making making = begun.orElseGet(() -> new Making(
                claim.orElseThrow(),
                storageClass.orElseThrow(),
                situation.now().monotonicNanosAfter(Sidecars.pace(name())),
                false,
                false));
        return goOn(learned(making));
    }

    /** X1; what is going is not begun for. A class that is not known yet says nothing against it. */
    private boolean asks(PersistentVolumeClaim claim) {
        return claim.spec().volumeName().isEmpty()
                && !claim.metadata().isDeleting()
                && provisioner(claim).filter(drivers::contains).isPresent()
                && classOf(claim).map(found -> mayServe(found, claim)).orElse(true);
    }

    private static boolean mayServe(StorageClass storageClass, PersistentVolumeClaim claim) {
        boolean waits = storageClass.volumeBindingMode().equals(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        return provisioner(claim).equals(Optional.of(storageClass.provisioner()))
                && (!waits
                        || claim.metadata()
                                .annotation(Annotations.SELECTED_NODE)
                                .isPresent());
    }

    private static Optional<String> provisioner(PersistentVolumeClaim claim) {
        return claim.metadata()
                .annotation(Annotations.STORAGE_PROVISIONER)
                .or(() -> claim.metadata().annotation(Annotations.BETA_STORAGE_PROVISIONER));
    }

    private Optional<StorageClass> classOf(PersistentVolumeClaim claim) {
        return StorageClasses.nameOf(claim)
                .flatMap(name -> situation.caches().get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)));
    }

    private Making learned(Making making) {
        Optional<EffectResult> answer = situation.resultOf(PROVISION);
        if (answer.isEmpty()) {
            return making;
        }
        boolean surelyNot = answer.get()
                .outcome()
                .filter(outcome -> outcome.isWithoutEffect())
                .isPresent();
        return new Making(
                making.claim,
                making.storageClass,
                making.due,
                !surelyNot,
                answer.get().succeeded()); // X3
    }

    private Decision goOn(Making making) {
        if (making.made) {
            boolean there = situation
                    .resultOf(CREATE)
                    .flatMap(EffectResult::storeFailure)
                    .filter(Failure.ALREADY_EXISTS::equals)
                    .isPresent();
            return there
                    ? Decision.nothing()
                    : Decision.act(new Effect.Create<>(CREATE, Kinds.PERSISTENT_VOLUME, volume(making)))
                            .withState(making);
        }
        long now = situation.now().monotonicNanos();
        if (now < making.due) {
            return Decision.remember(making).wakeAfter(Duration.ofNanos(making.due - now));
        }
        Target target = new Target(making.storageClass.provisioner(), name());
        ProvisionCall call =
                new ProvisionCall(new PluginName(making.storageClass.provisioner()), request(making), plan(making));
        Making asked = new Making(making.claim, making.storageClass, making.due, true, false);
        return Decision.act(new Effect.Perform(
                        PROVISION, new OutsideCall(call), Optional.of(target), Defaults.RECLAIM_TIME_LIMIT))
                .withState(asked);
    }

    private String name() {
        return PREFIX + uid;
    }

    /** The owner is the claim that is in the volume's name. A volume that was not made for a claim has no owner. */
    static String uidIn(ObjectKey volume) {
        return volume.name().startsWith(PREFIX) ? volume.name().substring(PREFIX.length()) : volume.name();
    }

    private ProvisionRequest request(Making making) {
        PersistentVolumeClaim claim = making.claim;
        return ProvisionRequestBuilder.builder()
                .volumeName(name())
                .claim(ObjectKey.of(claim))
                .claimUid(uid)
                .claimLabels(Map.of())
                .claimAnnotations(Map.of())
                .requested(claim.spec().requestedStorage())
                .accessModes(claim.spec().accessModes())
                .mode(claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM))
                .className(making.storageClass.metadata().name())
                .parameters(Map.of())
                .attributes(Map.of())
                .mountOptions(List.of())
                .reclaimPolicy(policy(making))
                .nodeLabels(Map.of())
                .build();
    }

    private VolumeTemplate plan(Making making) {
        CsiSource source = new CsiSource(making.storageClass.provisioner(), name(), "", false, Map.of());
        return new VolumeTemplate(
                source.toSource(),
                making.claim.spec().requestedStorage(),
                making.claim.spec().accessModes(),
                Optional.empty(),
                Map.of());
    }

    private static ReclaimPolicy policy(Making making) {
        return making.storageClass.reclaimPolicy().orElse(ReclaimPolicy.DELETE);
    }

    /** X5. */
    private PersistentVolume volume(Making making) {
        PersistentVolumeClaim claim = making.claim;
        ObjectMeta metadata =
                ObjectMeta.named(name()).withAnnotation(Annotations.PROVISIONED_BY, making.storageClass.provisioner());
        if (policy(making) == ReclaimPolicy.DELETE) {
            metadata = metadata.withFinalizer(Finalizers.EXTERNAL_PROVISIONER);
        }
        VolumeTemplate plan = plan(making);
        ObjectReference reference = ObjectReferenceBuilder.builder()
                .kind("PersistentVolumeClaim")
                .namespace(claim.metadata().namespace())
                .name(claim.metadata().name())
                .uid(uid)
                .apiVersion("v1")
                .resourceVersion(claim.metadata().resourceVersion())
                .fieldPath("")
                .build();
        return PersistentVolume.of(
                metadata,
                PersistentVolumeSpec.EMPTY
                        .withStorage(plan.capacity())
                        .withAccessModes(plan.accessModes())
                        .withClaimRef(Optional.of(reference))
                        .withPersistentVolumeReclaimPolicy(policy(making))
                        .withStorageClassName(
                                Optional.of(making.storageClass.metadata().name()))
                        .withVolumeMode(Optional.of(claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)))
                        .withSource(Optional.of(plan.source())));
    }

    /**
     * Storage that was begun.
     *
     * @param claim as it was when it was begun
     * @param storageClass its class, then
     * @param due monotonic time when the back-end is asked
     * @param asked whether there may be storage
     * @param made whether there is
     */
    private record Making(PersistentVolumeClaim claim, StorageClass storageClass, long due, boolean asked, boolean made)
            implements KeyState {}
}
