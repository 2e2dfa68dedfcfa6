// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.ProvisionRequestBuilder;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Bench;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A wish for a volume, with one thing changed. */
final class RequestVariants {
    private RequestVariants() {}

    static ProvisionRequest with(ProvisionRequest request, Map<String, String> parameters) {
        return onSameNode(request, request.mode(), parameters, request.mountOptions());
    }

    static ProvisionRequest with(ProvisionRequest request, VolumeMode mode) {
        return onSameNode(request, mode, request.parameters(), request.mountOptions());
    }

    static ProvisionRequest with(ProvisionRequest request, List<String> mountOptions) {
        return onSameNode(request, request.mode(), request.parameters(), mountOptions);
    }

    /** Of another size. */
    static ProvisionRequest with(ProvisionRequest request, Quantity size) {
        return copy(
                request,
                size,
                request.mode(),
                request.parameters(),
                request.mountOptions(),
                request.selectedNode(),
                request.nodeLabels());
    }

    /** For another node, with its labels. */
    static ProvisionRequest with(ProvisionRequest request, NodeRef node, Map<String, String> nodeLabels) {
        return copy(
                request,
                request.requested(),
                request.mode(),
                request.parameters(),
                request.mountOptions(),
                Optional.of(node),
                nodeLabels);
    }

    /** What the plugin plans for a request. */
    static Outcome<VolumeTemplate> planned(Bench bench, ProvisionRequest request) {
        return bench.call(
                "plan",
                () -> bench.plugin()
                        .capability(Provisioning.class)
                        .orElseThrow()
                        .plan(request));
    }

    private static ProvisionRequest onSameNode(
            ProvisionRequest request, VolumeMode mode, Map<String, String> parameters, List<String> mountOptions) {
        return copy(
                request,
                request.requested(),
                mode,
                parameters,
                mountOptions,
                request.selectedNode(),
                request.nodeLabels());
    }

    private static ProvisionRequest copy(
            ProvisionRequest request,
            Quantity size,
            VolumeMode mode,
            Map<String, String> parameters,
            List<String> mountOptions,
            Optional<NodeRef> node,
            Map<String, String> nodeLabels) {
        return ProvisionRequestBuilder.builder()
                .volumeName(request.volumeName())
                .claim(request.claim())
                .claimUid(request.claimUid())
                .claimLabels(request.claimLabels())
                .claimAnnotations(request.claimAnnotations())
                .requested(size)
                .accessModes(request.accessModes())
                .mode(mode)
                .className(request.className())
                .parameters(parameters)
                .attributes(request.attributes())
                .mountOptions(mountOptions)
                .reclaimPolicy(request.reclaimPolicy())
                .selectedNode(node)
                .nodeLabels(nodeLabels)
                .build();
    }
}
