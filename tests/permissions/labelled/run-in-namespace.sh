# Runs each script of a folder on a copy of the ground, and prints what it did to files. Started by run-in-namespace.ts.
set -e
ground=$1 out=$2 scripts=$3
mount -t tmpfs -o mode=0755 tmpfs "$out"
new=$out/new
mkdir "$out/upper" "$out/work" "$new" "$out/copy"
for top in /*; do
  name=${top#/}
  case $name in proc | dev | sys | tmp | lost+found) continue ;; esac
  if [ -L "$top" ]; then cp -a "$top" "$new/$name"; fi
  if [ -L "$top" ] || [ ! -d "$top" ]; then continue; fi
  mkdir "$new/$name" "$out/upper/$name" "$out/work/$name"
  mount -t overlay overlay -o userxattr,lowerdir="$top",upperdir="$out/upper/$name",workdir="$out/work/$name" "$new/$name" 2>/dev/null || true
done
mkdir "$new/proc" "$new/dev" "$new/sys" "$new/tmp" "$out/upper/tmp"
mount --bind "$out/upper/tmp" "$new/tmp"
mkdir -p "$new$ground"
mount --bind "$out/copy" "$new$ground"
mount -t proc proc "$new/proc"
mount --rbind /dev "$new/dev"
list() { find . -type f -printf "$1 %p|%C@|%s|%m|%T@\n"; }
for ((at = 0; ; at++)); do
  [ -f "$scripts/$at" ] || break
  script=$(cat "$scripts/$at"; printf x); script=${script%x}
  cd "$out/copy"
  find . -mindepth 1 -delete
  cp -a "$ground/." .
  git -C ws update-index -q --refresh || true
  find . -type f -exec touch -a -d '2001-01-01' {} +
  : > "$out/mark"
  list before
  chroot "$new" /usr/bin/env -i PATH="$PATH" HOME="$ground/home" TERM=dumb LANG=C.UTF-8 GIT_OPTIONAL_LOCKS=0 PAGER=cat GIT_PAGER=cat \
    timeout -k 1 10 bash --noprofile --norc -c 'cd "$1" && shift && exec bash --noprofile --norc -c "$1"' run "$ground/ws" "$script" \
    </dev/null >/dev/null 2>&1 || true
  # this shell is the first process of its namespace: what the script left running would be seen as the work of the next
  kill -KILL -1 2>/dev/null || true
  find . -type f -newerat '2002-01-01' -printf 'read %p\n'
  list after
  (cd "$out/upper" && find . -newercm "$out/mark" \( -type f -o -type l \) -printf 'outside %p\n' -o -newercm "$out/mark" -type c -printf 'gone %p\n')
  echo "end"
done
