// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a new volume will be. Pure.
 *
 * @param request what was asked for
 * @param parameters how
 * @param relative its directory, relative to the share
 */
record NfsProvisionPlan(ProvisionRequest request, ClassParameters parameters, String relative) {
    /** On a volume: the export in which its directory was made. */
    static final String SHARE = "mooring.dev/nfs-share";

    /** On a volume: what was decided to become of it, for people; what counts is in the ledger. */
    static final String ON_DELETE = "mooring.dev/on-delete";

    /** On a volume that was made here: the name of its entry in the ledger. */
    static final String LEDGER = "mooring.dev/nfs-ledger";

    static Outcome<NfsProvisionPlan> of(ProvisionRequest request) {
        Optional<String> problem = problem(request);
        if (problem.isPresent()) {
            return Outcome.refused(Refusal.INVALID, problem.get());
        }
        return NfsMountOptions.of(request.mountOptions(), false)
                .then(options -> ClassParameters.of(request.parameters()))
                .then(parameters -> parameters
                        .pattern()
                        .expand(request)
                        .map(relative -> new NfsProvisionPlan(request, parameters, relative)));
    }

    private static Optional<String> problem(ProvisionRequest request) {
        return request.mode() == VolumeMode.BLOCK
                ? Optional.of("an NFS volume has no block mode")
                : ProvisionedVolumes.nameProblem(request, "an entry of the ledger");
    }

    String name() {
        return request.volumeName();
    }

    VolumeTemplate template() {
        Export export = parameters.share().child(relative);
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(SHARE, parameters.share().source());
        annotations.put(LEDGER, name());
        annotations.put(ON_DELETE, parameters.onDelete().text());
        annotations.put(ProvisionedVolumes.CAPACITY_ENFORCED, Boolean.toString(parameters.quota()));
        if (parameters.exclusive()) {
            annotations.put(NfsPublisher.EXCLUSIVE, "true");
        }
        parameters.permissions().annotate(annotations);
        return new VolumeTemplate(
                new NfsSource(export.server(), export.path(), false).toSource(),
                request.requested(),
                ProvisionedVolumes.accessModes(request, AccessMode.READ_WRITE_MANY),
                Optional.empty(),
                annotations);
    }
}
