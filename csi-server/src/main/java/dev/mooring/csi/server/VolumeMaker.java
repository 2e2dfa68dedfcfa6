// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.csi.v1.CapacityRange;
import dev.mooring.csi.v1.CreateVolumeRequest;
import dev.mooring.csi.v1.TopologyRequirement;
import dev.mooring.plugin.support.Sha256;
import dev.mooring.runtime.plugin.NewStorage;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.ProvisionRequestBuilder;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.VolumeTemplate;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes volumes: one for a name, however often it is asked for, whatever was interrupted. */
final class VolumeMaker {
    private static final int INLINE_DIGITS = 40;
    private static final String CLAIM = RequestedNames.KUBERNETES + "pvc/name";
    private static final String CLAIM_NAMESPACE = RequestedNames.KUBERNETES + "pvc/namespace";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    /** Where the caller has no wish. */
    private static final long USUAL_BYTES = 1L << 30;

    private final DriverTraits traits;
    private final RpcRunner rpcs;
    private final VolumeRecords records;
    private final VolumeContents contents;

    VolumeMaker(DriverTraits traits, RpcRunner rpcs, VolumeRecords records, VolumeContents contents) {
        this.traits = traits;
        this.rpcs = rpcs;
        this.records = records;
        this.contents = contents;
    }

    /** A request that was checked. */
    private record Wish(VolumeHandle handle, VolumeRecord.Request request, long least, long most) {
        boolean fits(Quantity size) {
            long bytes = size.fitsLong() ? size.longValue() : Long.MAX_VALUE;
            return bytes >= least && bytes <= most;
        }

        Wish of(long bytes) {
            return new Wish(handle, request, bytes, most);
        }
    }

    /** Checks a request without looking anything up, and says which volume it is about. */
    VolumeHandle check(CreateVolumeRequest request) throws RpcFailure {
        return wish(request).handle();
    }

    /** The volume that was asked for, made now or before. No other rpc works on it meanwhile. */
    VolumeRecord make(CreateVolumeRequest request) throws RpcFailure {
        Wish wish = wish(request);
        Optional<VolumeRecord> found = records.find(wish.handle());
        if (found.isPresent()) {
            VolumeRecord record = found.get();
            if (record.phase() == VolumeRecord.Phase.DELETING) {
                throw new RpcFailure(Status.Code.ABORTED, "volume " + wish.handle() + " is being deleted");
            }
            if (!record.request().equals(wish.request())
                    || (record.phase() != VolumeRecord.Phase.MAKING && !wish.fits(record.capacity()))) {
                throw new RpcFailure(
                        Status.Code.ALREADY_EXISTS,
                        "volume " + wish.request().name() + " exists with another size, capability or parameter");
            }
            if (record.phase() == VolumeRecord.Phase.READY) {
                return record;
            }
        }
        return wish.request().content().isEmpty()
                ? provision(wish, Optional.empty(), request.getSecretsMap())
                : rpcs.reading(
                        VolumeContents.key(wish.request().content()), () -> filled(wish, request.getSecretsMap()));
    }

    private VolumeRecord filled(Wish wish, Map<String, String> secrets) throws RpcFailure {
        VolumeContents.Found content = contents.find(wish.request().content());
        if (content.mode().filter(mode -> mode != wish.request().mode()).isPresent()) {
            throw RpcFailure.invalid(
                    "volume_content_source is a " + content.mode().get().wireName());
        }
        boolean tooSmall = wish.least() > 0 && wish.least() < content.bytes();
        if (tooSmall || wish.most() < content.bytes()) {
            throw RpcFailure.outOfRange(
                    "capacity_range is smaller than volume_content_source, which needs " + content.bytes() + " bytes");
        }
        return provision(wish.least() > 0 ? wish : wish.of(content.bytes()), Optional.of(content.source()), secrets);
    }

    private VolumeRecord provision(Wish wish, Optional<ContentSource> content, Map<String, String> secrets)
            throws RpcFailure {
        ProvisionRequest asked = provisionRequest(wish).withContent(content);
        VolumeTemplate plan = RpcFailure.orThrow(traits.need(Provisioning.class).plan(asked), Asked.CONTROLLER);
        if (!wish.fits(plan.capacity())) {
            throw RpcFailure.outOfRange("the volume would have " + plan.capacity()
                    + " bytes, which is not in the range that was asked for");
        }
        return provision(wish.handle(), wish.request(), secrets, asked, plan);
    }

    /**
     * The volume of a pod, made now or before.
     *
     * @param attributes what is written in the pod
     */
    VolumeRecord makeInline(
            VolumeHandle handle,
            RequestedCapability wanted,
            Map<String, String> attributes,
            Map<String, String> secrets,
            PodRef pod)
            throws RpcFailure {
        Provisioning plugin = traits.need(Provisioning.class);
        Optional<VolumeRecord> found = records.find(handle);
        if (found.filter(VolumeRecord::exists).isPresent()) {
            return found.get();
        }
        if (found.filter(record -> record.phase() == VolumeRecord.Phase.DELETING)
                .isPresent()) {
            throw new RpcFailure(Status.Code.ABORTED, "volume " + handle + " is being deleted");
        }
        VolumeRecord.Request request = new VolumeRecord.Request(
                handle.text(),
                List.of(wanted.accessMode()),
                wanted.mode(),
                RequestedNames.parameters(attributes),
                new TreeMap<>());
        ProvisionRequest asked = provisionRequest(
                new Wish(handle, request, 0, Long.MAX_VALUE),
                inlineName(handle),
                ObjectKey.of(pod.namespace(), pod.name()));
        VolumeTemplate plan = RpcFailure.orThrow(plugin.plan(asked), Asked.NODE);
        return provision(handle, request, secrets, asked, plan);
    }

    /** Short enough for the label of a DNS name, as names of volumes are. */
    private static String inlineName(VolumeHandle handle) {
        return "csi-" + Sha256.hex(handle.text()).substring(0, INLINE_DIGITS);
    }

    private VolumeRecord provision(
            VolumeHandle handle,
            VolumeRecord.Request request,
            Map<String, String> secrets,
            ProvisionRequest asked,
            VolumeTemplate plan)
            throws RpcFailure {
        VolumeRecord begun = records.announce(new VolumeRecord(
                handle,
                VolumeRecord.Phase.MAKING,
                request,
                asked.volumeName(),
                plan.source(),
                plan.capacity(),
                plan.annotations(),
                Map.of(),
                new TreeMap<>(),
                new TreeMap<>()));
        RpcContext context = rpcs.context("create " + handle, secrets, begun);
        Outcome<VolumeTemplate> outcome =
                NewStorage.make(traits.need(NewStorage.capability(asked)), context, asked, plan);
        boolean nothingMade = outcome.isRefused();
        if (nothingMade) {
            records.remove(handle);
        }
        VolumeTemplate made = RpcFailure.orThrow(outcome, Asked.CONTROLLER);
        VolumeRecord ready = records.now(begun).made(made.source(), made.capacity(), made.annotations());
        if (handle.kind() == VolumeHandle.Kind.NAMED && !traits.bound()) {
            ready = ready.named(VolumeHandle.ofVolume(ready));
        }
        records.note(ready);
        return ready;
    }

    private Wish wish(CreateVolumeRequest request) throws RpcFailure {
        RequestedNames.check(request.getName());
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw RpcFailure.invalid("volume_capabilities is missing");
        }
        List<RequestedCapability> capabilities = new ArrayList<>();
        for (var each : request.getVolumeCapabilitiesList()) {
            capabilities.add(RequestedCapability.of(each, traits));
        }
        List<VolumeMode> modes =
                capabilities.stream().map(RequestedCapability::mode).distinct().toList();
        if (modes.size() > 1) {
            throw RpcFailure.invalid("volume_capabilities ask for a file system and for a raw block device");
        }
        String content = contents.asked(request);
        if (request.getMutableParamsCount() > 0 && !traits.can(Modifying.class)) {
            throw RpcFailure.invalid("mutable_parameters: this driver has no parameter that can be changed");
        }
        checkTopology(request.getAccessibilityRequirements());
        List<AccessMode> accessModes = capabilities.stream()
                .map(RequestedCapability::accessMode)
                .distinct()
                .sorted()
                .toList();
        CapacityRange range = request.getCapacityRange();
        checkRange(range);
        return new Wish(
                VolumeHandle.ofName(request.getName()),
                new VolumeRecord.Request(
                        request.getName(),
                        accessModes,
                        modes.get(0),
                        new TreeMap<>(request.getParametersMap()),
                        new TreeMap<>(request.getMutableParamsMap()),
                        content),
                range.getRequiredBytes(),
                range.getLimitBytes() == 0 ? Long.MAX_VALUE : range.getLimitBytes());
    }

    static void checkRange(CapacityRange range) throws RpcFailure {
        if (range.getRequiredBytes() < 0 || range.getLimitBytes() < 0) {
            throw RpcFailure.invalid("capacity_range is negative");
        }
        if (range.getLimitBytes() > 0 && range.getLimitBytes() < range.getRequiredBytes()) {
            throw new RpcFailure(
                    Status.Code.OUT_OF_RANGE, "capacity_range.limit_bytes is less than capacity_range.required_bytes");
        }
    }

    /** Storage of a node can only be made there. */
    private void checkTopology(TopologyRequirement wanted) throws RpcFailure {
        boolean elsewhere =
                wanted.getRequisiteCount() > 0 && !wanted.getRequisiteList().contains(traits.topology());
        if (traits.bound() && elsewhere) {
            throw new RpcFailure(
                    Status.Code.RESOURCE_EXHAUSTED,
                    "this driver makes volumes on node " + traits.settings().nodeId() + " only");
        }
    }

    private ProvisionRequest provisionRequest(Wish wish) {
        String name = wish.request().name();
        String volumeName = RequestedNames.forPlugin(name, wish.handle().text());
        Map<String, String> parameters = wish.request().parameters();
        return provisionRequest(
                wish,
                volumeName,
                ObjectKey.of(parameters.getOrDefault(CLAIM_NAMESPACE, ""), parameters.getOrDefault(CLAIM, volumeName)));
    }

    private ProvisionRequest provisionRequest(Wish wish, String volumeName, ObjectKey claim) {
        VolumeRecord.Request request = wish.request();
        long bytes = wish.least() > 0 ? wish.least() : Math.min(USUAL_BYTES, wish.most());
        return ProvisionRequestBuilder.builder()
                .volumeName(volumeName)
                .claim(claim)
                .claimUid(wish.handle().key())
                .claimLabels(Map.of())
                .claimAnnotations(Map.of())
                .requested(Quantity.ofBytes(bytes))
                .accessModes(request.accessModes())
                .mode(request.mode())
                .className("")
                .parameters(RequestedNames.parameters(request.parameters()))
                .attributes(request.attributes())
                .mountOptions(List.of())
                .reclaimPolicy(ReclaimPolicy.DELETE)
                .selectedNode(traits.bound() ? Optional.of(traits.here()) : Optional.<NodeRef>empty())
                .nodeLabels(traits.bound() ? Map.of(HOSTNAME, traits.settings().nodeId()) : Map.of())
                .build();
    }
}
