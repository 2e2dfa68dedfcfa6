// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import java.util.concurrent.atomic.AtomicLong;

/** Hears of everything that may make the page look otherwise. Several loops may tell it at once. Thread-safe. */
public final class LifeLines implements LoopListener {
    private final AtomicLong changes = new AtomicLong();

    /** Grows with everything that is heard of. */
    public long changes() {
        return changes.get();
    }

    @Override
    public void onChange(ObjectChange<?> change) {
        changes.incrementAndGet();
    }

    @Override
    public void onResult(Dispatch dispatch, EffectResult result) {
        changes.incrementAndGet();
    }

    @Override
    public void onLead(long epoch) {
        changes.incrementAndGet();
    }
}
