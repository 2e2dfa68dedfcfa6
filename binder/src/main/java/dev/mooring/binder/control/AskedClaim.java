// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderRule;
import dev.mooring.binder.ProvisionerRole;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.Provisioning;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A claim that another program binds, and for which it may ask a plugin of this process by annotations (semantics/csi §8.1). What is written is
 * the volume, and the intent to make storage until there is one.
 */
final class AskedClaim {
    private final BinderContext context;
    private final ClaimProvisioning provisioning;
    private final ProvisionedStorage storage;
    private final ProvisioningIntent intent;

    AskedClaim(BinderContext context, ProvisionedStorage storage, ProvisioningIntent intent) {
        this.context = context;
        this.provisioning = new ClaimProvisioning(context);
        this.storage = storage;
        this.intent = intent;
    }

    Decision decide(PersistentVolumeClaim claim, ClaimState state, Situation situation) {
        if (ProvisionedStorage.isWaitingForItsVolume(claim, state)) {
            return storage.createVolume(claim, state, situation);
        }
        Optional<PersistentVolume> made = BinderContext.volume(situation.caches(), context.volumeName(claim));
        if (made.isPresent()) {
            Decision settled = intent.settle(claim, state.idle(), situation);
            return ProvisionedStorage.withNews(claim, made.get(), settled, situation);
        }
        if (!claim.spec().volumeName().isEmpty() || claim.metadata().isDeleting()) {
            return intent.settle(claim, state.idle(), situation);
        }
        Optional<StorageClass> storageClass =
                BinderContext.classOf(situation.caches(), claim).filter(known -> isAsked(claim, known));
        Optional<Decision> choosing = storageClass.flatMap(known -> choosing(claim, known, state, situation));
        if (choosing.isPresent()) {
            return choosing.get();
        }
        return storageClass.filter(known -> isHere(claim)).isPresent()
                ? provisioning.decide(
                        claim,
                        storageClass,
                        state.waitingFor(Awaited.by(claim).withoutFreeVolume()).by(BinderRule.CLASS_PROVISIONS),
                        situation)
                : Decision.nothing().withState(state.kept());
    }

    /**
     * A claim that may lie on any node is taken by the node whose turn comes first: each has another moment for each claim, and the write of
     * the first makes the others' conflict (semantics/csi §8.9).
     */
    private Optional<Decision> choosing(
            PersistentVolumeClaim claim, StorageClass storageClass, ClaimState state, Situation situation) {
        Optional<ProvisionerRole> role = context.options().beside();
        Optional<String> node = role.flatMap(ProvisionerRole::node);
        Optional<Duration> within = role.flatMap(ProvisionerRole::choosingWithin);
        boolean chosen = claim.metadata()
                .annotation(Annotations.SELECTED_NODE)
                .filter(name -> !name.isEmpty())
                .isPresent();
        if (node.isEmpty() || within.isEmpty() || chosen || UnboundClaim.isDelayed(Optional.of(storageClass))) {
            return Optional.empty();
        }
        Duration turn = turn(claim.metadata().uid() + " " + node.get(), within.get());
        Instant created = claim.metadata().creationTimestamp().orElse(Instant.EPOCH);
        Duration left = Duration.between(situation.now().wall(), created.plus(turn));
        Duration wait = situation.backoff(BinderOperations.PROVISION).orElse(left);
        return Optional.of(
                wait.isNegative() || wait.isZero()
                        ? Decision.act(SelectedNode.select(claim, node.get())).withState(state)
                        : Decision.remember(state).wakeAfter(wait));
    }

    private static Duration turn(String of, Duration within) {
        long drawn = Integer.toUnsignedLong(of.hashCode() * 0x9E3779B1); // spreads texts that differ little
        return Duration.ofMillis((within.toMillis() * drawn) >>> Integer.SIZE);
    }

    /** A provisioner of one node serves the claims for which that node was chosen. */
    private boolean isHere(PersistentVolumeClaim claim) {
        Optional<String> here = context.options().beside().flatMap(ProvisionerRole::node);
        return here.isEmpty()
                || claim.metadata().annotation(Annotations.SELECTED_NODE).equals(here);
    }

    /** Whether the claim asks a plugin of this process, which its class names too, and a node is chosen where one has to be. */
    private boolean isAsked(PersistentVolumeClaim claim, StorageClass storageClass) {
        String provisioner = storageClass.provisioner();
        boolean asked = claim.metadata()
                .annotation(Annotations.STORAGE_PROVISIONER)
                .or(() -> claim.metadata().annotation(Annotations.BETA_STORAGE_PROVISIONER))
                .filter(provisioner::equals)
                .isPresent();
        boolean placed = !UnboundClaim.isDelayed(Optional.of(storageClass))
                || claim.metadata()
                        .annotation(Annotations.SELECTED_NODE)
                        .filter(node -> !node.isEmpty())
                        .isPresent();
        return asked
                && placed
                && context.plugins()
                        .named(provisioner)
                        .flatMap(plugin -> plugin.capability(Provisioning.class))
                        .isPresent();
    }
}
