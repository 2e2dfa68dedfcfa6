// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.ControllerGrpc;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.CreateVolumeResponse;
import dev.mooring.csi.v1.DeleteVolumeRequest;
import dev.mooring.csi.v1.PluginCapability;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.csi.v1.Volume;
import dev.mooring.csi.v1.VolumeCapability;
import dev.mooring.csi.v1.VolumeContentSource;
import dev.mooring.plugin.csi.driver.CallKind;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.driver.SecretTexts;
import dev.mooring.plugin.csi.driver.Sizes;
import dev.mooring.plugin.csi.driver.VolumeCapabilities;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Has a driver make and destroy volumes (semantics/csi §8). Thread-safe. */
public final class Provisioner {
    private static final String OF_CLAIM = "csi.storage.k8s.io/pvc/";
    private static final String OF_VOLUME = "csi.storage.k8s.io/pv/";

    private final String name;
    private final Drivers drivers;
    private final FirstRequests requests;
    private final SidecarRules manner;

    /**
     * Makes volumes of a driver.
     *
     * @param name the driver
     * @param requests where the places of a first try are kept
     * @param manner how the driver is called
     */
    public Provisioner(String name, Drivers drivers, FirstRequests requests, SidecarRules manner) {
        this.name = name;
        this.drivers = drivers;
        this.requests = requests;
        this.manner = manner;
    }

    /** What can be said before the driver is asked: whether class and claim fit together. Pure. */
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return DriverClass.of(request, manner.fsType())
                .then(rules -> NewVolume.secrets(rules, request))
                .then(secrets -> VolumeCapabilities.mode(request.accessModes(), true))
                .map(mode -> NewVolume.planned(name, request));
    }

    /** Makes a volume. A call that was cut off is repeated with the same request, whatever nodes have come and gone since. */
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request) {
        return DriverClass.of(request, manner.fsType())
                .then(rules -> drivers.find(name)
                        .then(driver -> driver.controllerAbilities(context)
                                .then(abilities ->
                                        abilities.contains(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME)
                                                ? provision(context, request, rules, driver, abilities)
                                                : Outcome.refused(
                                                        Refusal.UNSUPPORTED,
                                                        "driver " + name + " does not support dynamic provisioning"))));
    }

    private Outcome<VolumeTemplate> provision(
            OperationContext context,
            ProvisionRequest request,
            DriverClass rules,
            Driver driver,
            Set<ControllerServiceCapability.RPC.Type> abilities) {
        if (!request.attributes().isEmpty()
                && !abilities.contains(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME)) {
            return Outcome.refused(
                    Refusal.INVALID,
                    "driver " + name + " has no MODIFY_VOLUME, and the claim names a class of attributes");
        }
        Optional<String> lacking = request.content().flatMap(content -> lacking(content, abilities));
        if (lacking.isPresent()) {
            return Outcome.refused(Refusal.UNSUPPORTED, lacking.get());
        }
        Outcome<VolumeCapability> capability = VolumeCapabilities.of(
                request.accessModes(),
                abilities.contains(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER),
                request.mode(),
                rules.fsType(),
                request.mountOptions(),
                OptionalInt.empty());
        return capability.then(asked -> topology(context, request, driver)
                .then(places -> NewVolume.secrets(rules, request)
                        .then(secrets -> SecretTexts.read(
                                        context.secrets(), Optional.ofNullable(secrets.get(SecretUse.PROVISIONER)))
                                .then(texts -> create(
                                        context, request, driver, request(request, rules, asked, places, texts), texts))
                                .then(answer -> checked(context, request, driver, answer, secrets))
                                .map(volume -> NewVolume.made(name, request, rules, secrets, volume, manner)))));
    }

    private Outcome<Optional<TopologyRequirement>> topology(
            OperationContext context, ProvisionRequest request, Driver driver) {
        return driver.services(context)
                .then(offered -> offered.contains(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)
                        ? requests.topology(name, request).map(places -> Optional.of(places)
                                .filter(named -> named.getRequisiteCount() > 0))
                        : Outcome.done(Optional.empty()));
    }

    private CreateVolumeRequest request(
            ProvisionRequest request,
            DriverClass rules,
            VolumeCapability capability,
            Optional<TopologyRequirement> places,
            SecretTexts secrets) {
        CreateVolumeRequest.Builder building = CreateVolumeRequest.newBuilder()
                .setName(request.volumeName())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(Sizes.bytes(request.requested())))
                .addVolumeCapabilities(capability)
                .putAllParameters(rules.passed())
                .putAllSecrets(secrets.reveal())
                .putAllMutableParams(request.attributes());
        if (manner.claimMetadata()) {
            building.putParameters(OF_CLAIM + "name", request.claim().name())
                    .putParameters(OF_CLAIM + "namespace", request.claim().namespace())
                    .putParameters(OF_VOLUME + "name", request.volumeName());
        }
        places.ifPresent(building::setAccessibilityRequirements);
        request.content().ifPresent(content -> building.setVolumeContentSource(sourceOf(content)));
        return building.build();
    }

    /** What the driver would need to fill a volume. */
    private static Optional<String> lacking(
            ContentSource content, Set<ControllerServiceCapability.RPC.Type> abilities) {
        boolean snapshot = content instanceof ContentSource.OfSnapshot;
        ControllerServiceCapability.RPC.Type needed = snapshot
                ? ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT
                : ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
        return abilities.contains(needed)
                ? Optional.empty()
                : Optional.of("CSI driver does not support " + (snapshot ? "snapshot restore" : "clone operations")
                        + ": controller " + needed.name() + " capability is not reported");
    }

    private static VolumeContentSource sourceOf(ContentSource content) {
        VolumeContentSource.Builder building = VolumeContentSource.newBuilder();
        if (content instanceof ContentSource.OfVolume source) {
            building.setVolume(VolumeContentSource.VolumeSource.newBuilder()
                    .setVolumeId(CsiVolumeSource.of(source.volume()).handle()));
        } else if (content instanceof ContentSource.OfSnapshot source) {
            building.setSnapshot(VolumeContentSource.SnapshotSource.newBuilder()
                    .setSnapshotId(source.snapshot().handle()));
        }
        return building.build();
    }

    private Outcome<CreateVolumeResponse> create(
            OperationContext context,
            ProvisionRequest request,
            Driver driver,
            CreateVolumeRequest call,
            SecretTexts secrets) {
        Outcome<CreateVolumeResponse> answer =
                driver.call(context, CallKind.CREATE, ControllerGrpc.getCreateVolumeMethod(), call, secrets::hide);
        return answer.recoverRefused(refused -> requests.ended(request).then(forgotten -> refused));
    }

    /** A volume that is too small, or not filled as was asked, is destroyed again: nothing may be bound to it. */
    private Outcome<Volume> checked(
            OperationContext context,
            ProvisionRequest request,
            Driver driver,
            CreateVolumeResponse answer,
            Map<SecretUse, ObjectKey> secrets) {
        Volume volume = answer.getVolume();
        if (volume.getVolumeId().isEmpty()) {
            return Outcome.refused(
                    Refusal.CORRUPT, "driver " + name + " made a volume and named none: volume_id is empty");
        }
        Optional<Outcome<Volume>> wrong = wrong(request, volume);
        if (wrong.isEmpty()) {
            return Outcome.done(volume);
        }
        Outcome<Nothing> destroyed =
                delete(context, driver, volume.getVolumeId(), Optional.ofNullable(secrets.get(SecretUse.PROVISIONER)));
        return destroyed.isDone()
                ? wrong.get()
                : Outcome.uncertain(wrong.get().message() + ", and it was not destroyed: " + destroyed.message());
    }

    private static Optional<Outcome<Volume>> wrong(ProvisionRequest request, Volume volume) {
        long wanted = Sizes.bytes(request.requested());
        if (volume.getCapacityBytes() != 0 && volume.getCapacityBytes() < wanted) {
            return Optional.of(Outcome.refused(
                    Refusal.EXHAUSTED,
                    "created volume capacity " + volume.getCapacityBytes() + " less than requested capacity "
                            + wanted));
        }
        return request.content().isPresent() && !volume.hasContentSource()
                ? Optional.of(Outcome.refused(Refusal.INCOMPATIBLE, "volume content source missing"))
                : Optional.empty();
    }

    /** Destroys a volume. Without its secret, if that cannot be read any more: it may have gone with its namespace. */
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        String handle = CsiVolumeSource.of(volume).handle();
        Optional<ObjectKey> secret = SecretAnnotations.DELETION.of(volume);
        return drivers.find(name).then(driver -> delete(context, driver, handle, secret));
    }

    private static Outcome<Nothing> delete(
            OperationContext context, Driver driver, String handle, Optional<ObjectKey> secret) {
        SecretTexts secrets = SecretTexts.readIfPossible(context.secrets(), secret);
        return driver.call(
                        context,
                        CallKind.DELETE,
                        ControllerGrpc.getDeleteVolumeMethod(),
                        DeleteVolumeRequest.newBuilder()
                                .setVolumeId(handle)
                                .putAllSecrets(secrets.reveal())
                                .build(),
                        secrets::hide)
                .map(done -> Nothing.NOTHING);
    }
}
