// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.plugin.csi.controller.AttachmentsOfDriver;
import dev.mooring.plugin.csi.controller.Changer;
import dev.mooring.plugin.csi.controller.ConditionsOfDriver;
import dev.mooring.plugin.csi.controller.DeletionSecrets;
import dev.mooring.plugin.csi.controller.DriverAttacher;
import dev.mooring.plugin.csi.controller.FirstRequests;
import dev.mooring.plugin.csi.controller.FreeSpaceOfDriver;
import dev.mooring.plugin.csi.controller.ListSecrets;
import dev.mooring.plugin.csi.controller.ListedVolumes;
import dev.mooring.plugin.csi.controller.NodeIds;
import dev.mooring.plugin.csi.controller.Provisioner;
import dev.mooring.plugin.csi.controller.SidecarLeases;
import dev.mooring.plugin.csi.controller.Snapshotter;
import dev.mooring.plugin.csi.driver.CsiVolumeSource;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.plugin.DriverFacts;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A driver whose controller service Mooring calls itself, in place of external-provisioner, -attacher and -resizer. In the controllers each
 * driver is a plugin of its own name, except a driver that is left to side-cars (semantics/csi §7 to §11).
 */
final class CsiDriverPlugin
        implements StoragePlugin,
                Provisioning,
                Cloning,
                Snapshotting,
                Deleting,
                Attaching,
                ControllerExpanding,
                Modifying,
                CapacityReporting,
                Health {
    private final PluginName name;
    private final Provisioner provisioner;
    private final DriverAttacher attacher;
    private final AttachmentsOfDriver attachments;
    private final Changer changer;
    private final FreeSpaceOfDriver space;
    private final ConditionsOfDriver conditions;
    private final Snapshotter snapshotter;
    private final DeletionSecrets deletions;
    private final Optional<SidecarLeases> sidecars;
    private final Predicate<Class<? extends Capability>> offers;
    private final boolean patientInUse;

    /**
     * A driver in the controllers.
     *
     * @param name the driver's name, which is that of its classes and volumes
     * @param drivers where the driver is found when it is called
     * @param store the cluster: CSINodes, VolumeAttachments, claims
     */
    CsiDriverPlugin(String name, Drivers drivers, ClusterStore store) {
        this(name, drivers, store, SidecarRules.DEFAULT, Optional.of(new SidecarLeases(name, store)), type -> true);
    }

    /**
     * The same in a process that is the driver's side-car, and holds the Leases itself.
     *
     * @param facts what the driver can do, and so the plugin
     * @param rules how it is called
     */
    CsiDriverPlugin(DriverFacts facts, Drivers drivers, ClusterStore store, SidecarRules rules) {
        this(facts.name(), drivers, store, rules, Optional.empty(), type -> isOffered(facts, rules, type));
    }

    private CsiDriverPlugin(
            String name,
            Drivers drivers,
            ClusterStore store,
            SidecarRules rules,
            Optional<SidecarLeases> sidecars,
            Predicate<Class<? extends Capability>> offers) {
        this.name = new PluginName(name);
        this.sidecars = sidecars;
        this.offers = offers;
        this.patientInUse = rules.patientInUse();
        provisioner = new Provisioner(name, drivers, new FirstRequests(store, rules), rules);
        NodeIds nodes = new NodeIds(store);
        attacher = new DriverAttacher(name, drivers, nodes);
        ListedVolumes listed = new ListedVolumes();
        attachments = new AttachmentsOfDriver(name, drivers, nodes, listed);
        changer = new Changer(name, drivers);
        space = new FreeSpaceOfDriver(name, drivers);
        conditions = new ConditionsOfDriver(name, drivers, listed);
        snapshotter = new Snapshotter(name, drivers, new ListSecrets(store));
        deletions = new DeletionSecrets(store);
    }

    /** A process of one node makes what is there, and leaves the rest to one process for the cluster. */
    private static boolean isOffered(DriverFacts facts, SidecarRules rules, Class<? extends Capability> type) {
        boolean ofNode = type == Provisioning.class
                || type == Deleting.class
                || type == Cloning.class
                || type == CapacityReporting.class;
        return (ofNode || rules.ownPlace().isEmpty()) && isOffered(facts, type);
    }

    private static boolean isOffered(DriverFacts facts, Class<? extends Capability> type) {
        if (type == Provisioning.class || type == Deleting.class) {
            return facts.makes();
        } else if (type == Attaching.class) {
            return facts.attaches();
        } else if (type == ControllerExpanding.class) {
            return facts.expands();
        } else if (type == Snapshotting.class) {
            return facts.makesSnapshots();
        } else if (type == Cloning.class) {
            return facts.controller().contains("CLONE_VOLUME");
        } else if (type == Modifying.class) {
            return facts.controller().contains("MODIFY_VOLUME");
        }
        return type == CapacityReporting.class && facts.controller().contains("GET_CAPACITY");
    }

    @Override
    public <C extends Capability> Optional<C> capability(Class<C> type) {
        return offers.test(type) ? StoragePlugin.super.capability(type) : Optional.empty();
    }

    /** Done unless a side-car of the driver is at work elsewhere. */
    private Outcome<Nothing> alone(OperationContext context) {
        return sidecars.map(others -> others.free(context)).orElseGet(Outcome::done);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(name, List.of(), Place.CONTROLLER)
                .withSupportsMountOptions(true)
                .withManagesOwnership(true);
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return CsiVolumeSource.problems(source);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(name, CsiVolumeSource.of(source).handle());
    }

    /** A driver that hangs holds up its own volumes alone. */
    @Override
    public String bulkhead(VolumeId volume) {
        return name.value();
    }

    // ---- provisioning ----

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return provisioner.plan(request);
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return alone(context).then(alone -> provisioner.provision(context, request));
    }

    /** Whether the driver has CLONE_VOLUME is known when it is called. */
    @Override
    public Outcome<VolumeTemplate> cloneVolume(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
        return provision(context, request, plan);
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return alone(context).then(alone -> deletions.noted(volume)).then(noted -> provisioner.delete(context, noted));
    }

    @Override
    public Outcome<FreeSpace> freeSpace(
            OperationContext context, Map<String, String> parameters, Map<String, String> place) {
        return alone(context).then(alone -> space.of(context, parameters, place));
    }

    @Override
    public Outcome<Condition> check(OperationContext context, VolumeSpec volume) {
        return alone(context)
                .then(alone -> conditions.of(context, CsiVolumeSource.of(volume).handle()));
    }

    // ---- snapshots ----

    @Override
    public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
        return snapshotter.plan(request);
    }

    @Override
    public Outcome<SnapshotFacts> createSnapshot(OperationContext context, SnapshotRequest request, VolumeSpec source) {
        return alone(context).then(alone -> snapshotter.create(context, request, source));
    }

    @Override
    public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
        return alone(context).then(alone -> snapshotter.delete(context, snapshot));
    }

    @Override
    public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
        return snapshotter.find(context, snapshot);
    }

    @Override
    public Outcome<VolumeTemplate> restore(
            OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
        return provision(context, request, plan);
    }

    // ---- attaching ----

    /** Unless the driver's CSIDriver says otherwise, which the host looks at. */
    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    /** As the kubelet reports it (semantics/attach-and-mount §1.2). */
    @Override
    public String reportedName(VolumeSpec volume, VolumeId id) {
        return CsiVolumes.NAME + "/" + name + "^" + id.backend();
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return attachments.changing(
                CsiVolumeSource.of(volume).handle(),
                () -> alone(context).then(alone -> attacher.attach(context, volume, node)));
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return attachments.changing(
                volume.backend(), () -> alone(context).then(alone -> attacher.detach(context, volume, node)));
    }

    @Override
    public boolean tellsAttachments() {
        return true;
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return attachments.of(context, node, volumes);
    }

    // ---- changing ----

    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        Outcome<Expansion> expanded = alone(context).then(alone -> changer.expand(context, volume, wanted));
        return !patientInUse && expanded.isRefused(Refusal.IN_USE) ? Outcome.deferred(expanded.message()) : expanded;
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        return alone(context).then(alone -> changer.modify(context, volume, parameters));
    }
}
